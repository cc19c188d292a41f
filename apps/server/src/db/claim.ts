import { ServiceError } from "../errors";
import type { Queryable } from "./db";

/** The idempotency key of a request. */
export interface Claim {
  /** The API key that sent it: each has its own idempotency keys. */
  readonly caller: string;
  readonly key: string;
  /** A keyed digest of the request, to detect a key that is reused for another request. */
  readonly fingerprint: Buffer;
  /** When the request arrived, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Results stored before this time have expired. */
  readonly expiredBefore: number;
  /** Set when the result is that of an earlier request. */
  isReplayed: boolean;
}

/** The database for one request with an idempotency key: its write takes effect once for the key. */
export function bindClaim(db: Queryable, claim: Claim): Queryable {
  const { caller, key, fingerprint, now, expiredBefore } = claim;
  return {
    query: db.query,
    async write({ keyed }, values) {
      const rows = await db.query(keyed, [...values, caller, key, fingerprint, now, expiredBefore]);
      const [first] = rows;
      if (first === undefined || first.earlierFingerprint === null)
        // Without an earlier result, all rows come from the effect.
        return rows as Exclude<(typeof rows)[number], { earlierFingerprint: Buffer }>[];
      if (!fingerprint.equals(first.earlierFingerprint))
        throw new ServiceError(
          "idempotency_key_reused",
          "An earlier request used this idempotency key. Send a new key with each new request.",
        );
      claim.isReplayed = true;
      return first.earlierResult;
    },
    transaction: (work) => db.transaction((tx) => work(bindClaim(tx, claim))),
  };
}
