import type { Response } from "express";
import { ServiceError } from "../../errors/service-error";
import { KeyShares } from "../../turns/key-shares";
import type { Handler } from "../handler";
import { callerNameOf } from "../locals";
import { whenClosed } from "./when-closed";

const maxBytes = 64 * 2 ** 20;
/** Leaves some to other keys. */
const maxBytesPerKey = 16 * 2 ** 20;
/** Connections whose clients read nothing are closed within half a minute. */
const retryAfterSeconds = 5;
const largeBytes = 2 ** 16;

/** Bounds the memory for responses that clients do not read. */
export class UnreadResponses {
  readonly #bytes = new KeyShares();

  /** Counts the body of a response, if it is large, until it is sent. */
  add(response: Response, bytes: number): void {
    if (bytes < largeBytes) return;
    const key = callerNameOf(response);
    this.#bytes.add(key, bytes);
    whenClosed(response, () => this.#bytes.add(key, -bytes));
  }

  /** Wraps a handler so that it does not run while there is no memory for its response. */
  limit(handler: Handler): Handler {
    return async (call) => {
      const isOver = this.#bytes.total > maxBytes || this.#bytes.of(callerNameOf(call.res)) > maxBytesPerKey;
      if (isOver)
        throw new ServiceError(
          "unavailable",
          "Too many earlier responses were not read. Read them, or close their connections.",
          { retryAfterSeconds },
        );
      return handler(call);
    };
  }
}
