import type { IncomingMessage } from "node:http";
import type { Response } from "express";
import { ServiceError } from "../../errors/service-error";
import { KeyShares } from "../../turns/key-shares";
import type { Handler } from "../handler";
import { callerNameOf } from "../locals";

/** While a body is decoded, parsed and stored, it takes about six times as much memory. */
const maxBytes = 32 * 2 ** 20;
/** Bodies above `largeBytes` leave the rest to the smaller ones, and those of one key a third to those of other keys. */
const maxLargeBytes = 24 * 2 ** 20;
const maxLargeBytesPerKey = 16 * 2 ** 20;
const largeBytes = 2 ** 16;

interface Body {
  readonly key: string;
  readonly bytes: number;
}

/** Bounds the memory for the bodies of all requests of a process, from their first byte until their handler has ended. */
export class BodyBudget {
  readonly #used = new KeyShares();
  readonly #bodies = new WeakMap<IncomingMessage, Body>();

  /** Counts bytes that have arrived. Throws if there is no memory for them. */
  add(request: IncomingMessage, response: Response, bytes: number): void {
    const before = this.#bodies.get(request);
    // A client may leave while its handler runs: see `holdDuring`.
    if (before === undefined) response.once("close", () => this.release(request));
    const key = before?.key ?? callerNameOf(response);
    const own = (before?.bytes ?? 0) + bytes;
    const isLarge = own > largeBytes;
    const isOver =
      this.#used.total + bytes > (isLarge ? maxLargeBytes : maxBytes) ||
      (isLarge && this.#used.of(key) + bytes > maxLargeBytesPerKey);
    if (isOver)
      throw new ServiceError(
        "unavailable",
        "The server is processing too many large requests. Send this one again shortly.",
      );
    this.#used.add(key, bytes);
    this.#bodies.set(request, { key, bytes: own });
  }

  /** Gives the bytes of a body back that was rejected. */
  release(request: IncomingMessage): void {
    this.#release(this.#take(request));
  }

  /** Wraps a handler so that the bytes of a request count until it has ended. */
  holdDuring(handler: Handler): Handler {
    return (call) => {
      const body = this.#take(call.req);
      return body === undefined ? handler(call) : handler(call).finally(() => this.#release(body));
    };
  }

  #take(request: IncomingMessage): Body | undefined {
    const body = this.#bodies.get(request);
    this.#bodies.delete(request);
    return body;
  }

  #release(body: Body | undefined): void {
    if (body !== undefined) this.#used.add(body.key, -body.bytes);
  }
}
