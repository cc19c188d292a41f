import { ServiceError } from "../errors";

/** The idempotency key of a request. */
export interface Claim {
  /** The API key of the request. Each API key has its own idempotency keys. */
  readonly caller: string;
  readonly key: string;
  /** A keyed digest of the request, to detect a key that is reused for another request. */
  readonly fingerprint: Buffer;
  /** Set when the result is that of an earlier request. */
  isReplayed: boolean;
}

/** The stored result of a key. */
export interface StoredResult<Row> {
  readonly fingerprint: Buffer;
  readonly result: Row[];
}

/** Returns the stored result. Rejects the request if the key was used for a different one. */
export function replay<Row>(claim: Claim, { fingerprint, result }: StoredResult<Row>): Row[] {
  if (!claim.fingerprint.equals(fingerprint))
    throw new ServiceError(
      "idempotency_key_reused",
      "An earlier request used this idempotency key. Send a new key with each new request.",
    );
  claim.isReplayed = true;
  return result;
}
