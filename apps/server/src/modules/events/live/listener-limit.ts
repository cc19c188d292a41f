import { limits } from "@madang/contract";
import { ServiceError } from "../../../errors/service-error";
import type { Caller } from "../../../http/auth/caller";
import { clientOfCaller } from "../../../http/locals";
import { runAsService } from "../../../turns/client";
import { Resource } from "../../../turns/resource";

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

const { perProcess, perSubKey, perUser, keptForMasterKey, keptForSubKeys } = limits.eventListeners;
const maxOf = { service: 0, master: perProcess, key: perSubKey, user: perUser };

/**
 * Limits the clients of this process that wait for events. Some streams are kept for the master key, so that only its own
 * can cause its rejection, and some for sub keys, so that users cannot.
 */
export class ListenerLimit {
  readonly resource = new Resource({
    name: "streams",
    what: "streams of events and lists that wait",
    total: perProcess,
    keptForMaster: keptForMasterKey,
    keptForKeys: keptForSubKeys,
    maxOf: ({ kind }) => maxOf[kind],
  });
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
    const hold = this.resource.tryTake(1, clientOfCaller(listener.caller));
    if (hold === undefined) throw this.#tooMany(listener.caller);
    this.#endAt.set(listener, performance.now() + this.#maxAgeMs * (1 - jitter * this.#random()));
    // Not as the client whose listener was the first.
    this.#timer ??= setInterval(() => runAsService(() => this.#check()), checkMs);
    return () => {
      hold.release();
      this.#endAt.delete(listener);
      if (this.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #tooMany(caller: Caller): ServiceError {
    const client = clientOfCaller(caller);
    const isOwn = this.resource.of(client) >= maxOf[client.kind];
    const holder = caller.kind === "user" ? `This user has ${perUser}` : `This sub key has ${perSubKey}`;
    return new ServiceError(
      isOwn ? "rate_limited" : "unavailable",
      isOwn
        ? `${holder} streams of events and lists that wait, which is the limit. Close one, or try again shortly.`
        : "This server has no more streams of events and lists that wait. Try again shortly.",
      {
        retryAfterSeconds: Math.round(retryAfter.minSeconds + retryAfter.rangeSeconds * this.#random()),
      },
    );
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
