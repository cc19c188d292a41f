import { Stream } from "node:stream";
import type { Response } from "express";

/** A response of server-sent events. ts-rest pipes a stream into the response as it is; this one hands the response over. */
export class EventStream extends Stream {
  readonly #open: (response: Response) => void;

  constructor(open: (response: Response) => void) {
    super();
    this.#open = open;
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    // ts-rest pipes into the response and nowhere else.
    const response = destination as unknown as Response;
    response.setHeader("Content-Type", "text/event-stream; charset=utf-8");
    // Proxies such as nginx would hold the events back.
    response.setHeader("X-Accel-Buffering", "no");
    response.flushHeaders();
    if (response.req.method === "HEAD") response.end();
    else this.#open(response);
    return destination;
  }
}
