import { ServiceError } from "../errors";

/** The idempotency key of a request. */
export interface Claim {
  /** The API key that sent it: each has its own idempotency keys. */
  readonly caller: string;
  readonly key: string;
  /** A keyed digest of the request, to detect a key that is reused for another request. */
  readonly fingerprint: Buffer;
  /** Set when the result is that of an earlier request. */
  isReplayed: boolean;
}

/** What the table of idempotency keys has for a key. */
export interface StoredResult<Row> {
  readonly fingerprint: Buffer;
  readonly result: Row[];
}

/** The result of an earlier request with the key. Rejects another request with the same key. */
export function replay<Row>(claim: Claim, { fingerprint, result }: StoredResult<Row>): Row[] {
  if (!claim.fingerprint.equals(fingerprint))
    throw new ServiceError(
      "idempotency_key_reused",
      "An earlier request used this idempotency key. Send a new key with each new request.",
    );
  claim.isReplayed = true;
  return result;
}
