import { Stream } from "node:stream";
import type { Response } from "express";

/**
 * A response that is JSON already. ts-rest hands a stream on to the response as it is, where an object would be turned
 * into text; this one does nothing but end the response with its bytes.
 */
export class MadeJson extends Stream {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    // ts-rest pipes into the response and nowhere else.
    const response = destination as unknown as Response;
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("Content-Length", this.#bytes.length);
    response.end(this.#bytes);
    return destination;
  }
}
