import { recordings } from "../audit/record-requests";
import type { Queryable } from "../db/db";
import type { Claim } from "./claim";
import { openWriter, type Writer } from "./writer";

/** The claims of the current requests with an idempotency key, by response. */
export const claims = new WeakMap<object, Claim>();

/**
 * The database for the change that a request makes. With an idempotency key, the change takes effect once. If the request is
 * recorded in the audit log, the transaction of the change writes the entry.
 */
export const once = (db: Queryable, response: object): Writer =>
  openWriter(db, { claim: claims.get(response), recording: recordings.get(response) });
