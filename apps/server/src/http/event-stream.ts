import { Stream } from "node:stream";
import type { Response } from "express";

/**
 * A response of server-sent events. ts-rest pipes a stream into the response; `pipe` passes that response to `open`.
 */
export class EventStream extends Stream {
  readonly #open: (response: Response) => void;

  constructor(open: (response: Response) => void) {
    super();
    this.#open = open;
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    // ts-rest pipes only into the response.
    const response = destination as unknown as Response;
    response.setHeader("Content-Type", "text/event-stream; charset=utf-8");
    // Otherwise proxies such as nginx buffer the events.
    response.setHeader("X-Accel-Buffering", "no");
    response.flushHeaders();
    if (response.req.method === "HEAD") {
      response.end();
      return destination;
    }
    // A client that closed its side is gone. Otherwise only the next write would show it.
    response.req.socket.once("end", () => response.destroy());
    this.#open(response);
    return destination;
  }
}
