import { bindClaim } from "../db/claim";
import type { Queryable } from "../db/db";
import { localsOf } from "../http/caller";

/** The database for the one write of a request: it takes effect once where the request has an idempotency key. */
export function once(db: Queryable, response: Parameters<typeof localsOf>[0]): Queryable {
  const { claim } = localsOf(response);
  return claim === undefined ? db : bindClaim(db, claim);
}
