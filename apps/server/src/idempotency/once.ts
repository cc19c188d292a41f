import { bindClaim } from "../db/bind-claim";
import type { Queryable } from "../db/db";
import { localsOf } from "../http/caller";

/** The database for the write of a request. With an idempotency key, the write takes effect once. */
export function once(db: Queryable, response: Parameters<typeof localsOf>[0]): Queryable {
  const { claim } = localsOf(response);
  return claim === undefined ? db : bindClaim(db, claim);
}
