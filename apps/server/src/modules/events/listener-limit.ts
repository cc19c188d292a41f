import { limits } from "@madang/contract";
import { ServiceError } from "../../errors/service-error";
import { type Caller, nameCaller } from "../../http/auth/caller";

/** A stream, or a list request that waits for events. */
interface Listener {
  readonly caller: Caller;
  /** Throws `unauthenticated` when the key or the session of the caller is no longer valid. */
  readonly checkKey: () => Promise<unknown>;
  /** Ends the response. The client reconnects at once if its key is still valid. */
  readonly end: () => void;
}

/** How often the keys are checked. A deleted key is cached for half a second, so a listener ends within a second. */
const checkMs = 400;
/** The maximum age of a stream. Its client reconnects; a client that disappeared without closing the connection does not. */
const defaultMaxAgeMs = 600_000;
/** The random share by which a stream ends earlier, so that streams opened together do not reconnect together. */
const jitter = 0.2;
/** When a rejected client may retry: a random time, for the same reason. */
const retryAfter = { minSeconds: 5, rangeSeconds: 5 };

/**
 * Limits the clients of this process that wait for events. Some places are reserved for the master key, so that only its own
 * listeners can cause its rejection.
 */
export class ListenerLimit {
  readonly #endAt = new Map<Listener, number>();
  readonly #random: () => number;
  readonly #maxAgeMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ random, maxAgeMs = defaultMaxAgeMs }: { random: () => number; maxAgeMs?: number }) {
    this.#random = random;
    this.#maxAgeMs = maxAgeMs;
  }

  get size(): number {
    return this.#endAt.size;
  }

  /** Admits a listener until the returned function is called. */
  admit(listener: Listener): () => void {
    this.#requireRoom(listener.caller);
    this.#endAt.set(listener, performance.now() + this.#maxAgeMs * (1 - jitter * this.#random()));
    this.#timer ??= setInterval(() => this.#check(), checkMs);
    return () => {
      this.#endAt.delete(listener);
      if (this.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #tooMany(holder: string, code: "unavailable" | "rate_limited" = "unavailable"): ServiceError {
    return new ServiceError(
      code,
      `${holder} streams of events and lists that wait, which is the limit. Close one, or try again shortly.`,
      {
        retryAfterSeconds: Math.round(retryAfter.minSeconds + retryAfter.rangeSeconds * this.#random()),
      },
    );
  }

  #requireRoom(caller: Caller): void {
    const { perProcess, perSubKey, perUser, keptForMasterKey } = limits.eventListeners;
    if (caller.kind === "sub" && this.#countOf(caller) >= perSubKey)
      throw this.#tooMany(`This sub key has ${perSubKey}`);
    if (caller.kind === "user" && this.#countOf(caller) >= perUser)
      throw this.#tooMany(`This user has ${perUser}`, "rate_limited");
    const max = caller.kind === "master" ? perProcess : perProcess - keptForMasterKey;
    if (this.size >= max) throw this.#tooMany(`This server has ${max}`);
  }

  #countOf(caller: Caller): number {
    const name = nameCaller(caller);
    return [...this.#endAt.keys()].filter((listener) => nameCaller(listener.caller) === name).length;
  }

  #check(): void {
    const now = performance.now();
    for (const [listener, endAt] of this.#endAt) if (endAt <= now) listener.end();
    for (const [credential, listeners] of Map.groupBy(this.#endAt.keys(), credentialOf)) {
      if (credential === undefined) continue;
      listeners[0]?.checkKey().catch((error: unknown) => {
        const isRejected = error instanceof ServiceError && error.code === "unauthenticated";
        if (isRejected) for (const { end } of listeners) end();
      });
    }
  }
}

/**
 * The console session, the key or the token of a listener. Those of one end together. The master key does not end.
 */
function credentialOf({ caller }: Listener): unknown {
  if (caller.console !== undefined) return caller.console.sessionId;
  if (caller.kind === "user") return caller.id ?? caller.token;
  return caller.kind === "sub" ? caller.id : undefined;
}
