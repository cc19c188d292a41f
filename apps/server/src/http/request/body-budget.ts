import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../../errors";
import type { Handler } from "../map-handlers";

/** While a body is decoded, parsed and stored, it takes about six times as much memory. */
const maxBytes = 32 * 2 ** 20;
/** Bodies above `largeBytes` leave the rest to the smaller ones. */
const maxLargeBytes = 24 * 2 ** 20;
const largeBytes = 2 ** 16;
const retryAfterSeconds = 1;

/** Bounds the memory for the bodies of all requests of a process, from their first byte until their handler has ended. */
export class BodyBudget {
  #used = 0;
  readonly #bytesOf = new WeakMap<IncomingMessage, number>();

  /** Counts bytes that have arrived. Throws if there is no memory for them. */
  add(request: IncomingMessage, response: ServerResponse, bytes: number): void {
    const before = this.#bytesOf.get(request);
    // A client may leave while its handler runs: see `holdDuring`.
    if (before === undefined) response.once("close", () => this.#release(this.#take(request)));
    const own = (before ?? 0) + bytes;
    const max = own > largeBytes ? maxLargeBytes : maxBytes;
    if (this.#used + bytes > max)
      throw new ServiceError(
        "unavailable",
        "The server is processing too many large requests. Send this one again shortly.",
        undefined,
        retryAfterSeconds,
      );
    this.#used += bytes;
    this.#bytesOf.set(request, own);
  }

  /** Wraps a handler so that the bytes of a request count until it has ended. */
  holdDuring(handler: Handler): Handler {
    return (call) => {
      const bytes = this.#take(call.req);
      return bytes === 0 ? handler(call) : handler(call).finally(() => this.#release(bytes));
    };
  }

  #take(request: IncomingMessage): number {
    const bytes = this.#bytesOf.get(request) ?? 0;
    this.#bytesOf.delete(request);
    return bytes;
  }

  #release(bytes: number): void {
    this.#used -= bytes;
  }
}
