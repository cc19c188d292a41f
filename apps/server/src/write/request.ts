import type { UserRight } from "@madang/contract";
import type { Db } from "../db/db";
import type { ActingUser } from "../security/acting-user";

/** A request that changes data. It reaches the stores with the `Writer`. */
export interface WriteRequest {
  /** Absent without an `Idempotency-Key`. */
  readonly key?: IdempotencyKey | undefined;
  /** The audit entry as JSON. Absent if the request is not recorded. */
  readonly entry?: string | undefined;
  /** The user as whom the request acts, and the right that its operation requires. Undefined with a key of the application. */
  readonly acting?: ActingRequest | undefined;
}

interface ActingRequest extends ActingUser {
  readonly right: UserRight;
  /** Of the user's key. Absent with a token. */
  readonly id?: string | undefined;
}

export interface IdempotencyKey {
  /** The API key of the request. Each API key has its own idempotency keys. */
  readonly caller: string;
  readonly key: string;
  /** A keyed digest of the request in hexadecimal, to detect a key that is reused for another request. */
  readonly fingerprint: string;
}

/** A request while it is handled. */
export interface RunningWrite {
  readonly request: WriteRequest;
  readonly state: WriteState;
}

/** What became of a request. */
export interface WriteState {
  /** Whether the change was made now, or by an earlier request with the key. */
  outcome: "none" | "written" | "replayed";
  /** Where the change was tried. On Citus, the key of a change of one channel is in the schema of the channel. */
  db?: Db;
}

/** A name that is equal for requests with the same idempotency key. Empty without a key. */
export const idempotencyNames = ({ key }: WriteRequest): readonly string[] =>
  key === undefined ? [] : [`${key.caller} ${key.key}`];
