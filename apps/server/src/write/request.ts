import type { UserRight } from "@madang/contract";
import type { Queryable } from "../db/db";
import { ServiceError } from "../errors/service-error";
import type { ActingUser } from "../http/auth/caller";

/** A request that changes data. It reaches the stores with the `Writer`. */
export interface WriteRequest {
  /** Absent without an `Idempotency-Key`. */
  readonly key: RequestKey | undefined;
  /** The audit entry as JSON. Absent if the request is not recorded. */
  readonly entry: string | undefined;
  /** The user as whom the request acts, and the right that its operation requires. Undefined with a key of the application. */
  readonly acting?: (ActingUser & { readonly right: UserRight }) | undefined;
  /** Set by the write, and read when the response is sent: the change was made now, or by an earlier request with the key. */
  outcome: "none" | "written" | "replayed";
  /** Set by the write, and read after a conflict: where the change was tried. On Citus, the key of a change of one channel is in the schema of the channel. */
  place?: Queryable;
}

export interface RequestKey {
  /** The API key of the request. Each API key has its own idempotency keys. */
  readonly caller: string;
  readonly key: string;
  /** A keyed digest of the request in hexadecimal, to detect a key that is reused for another request. */
  readonly fingerprint: string;
}

/** A change that no request asked for by itself, such as one within the transaction of another. */
export const noRequest = (): WriteRequest => ({ key: undefined, entry: undefined, outcome: "none" });

/** Whether the stored result of a key is that of the same request. */
export const isSameRequest = ({ key }: WriteRequest, fingerprint: string): boolean =>
  key?.fingerprint === fingerprint;

export const keyReused = () =>
  new ServiceError(
    "idempotency_key_reused",
    "An earlier request used this idempotency key. Send a new key with each new request.",
  );

/** A name that is equal for requests with the same idempotency key. Empty without a key. */
export const idempotencyNames = ({ key }: WriteRequest): readonly string[] =>
  key === undefined ? [] : [`${key.caller} ${key.key}`];
