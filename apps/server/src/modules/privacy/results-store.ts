import type { ErasureStep } from "../../chat/erasure";
import { type Db, everySchema, type Statement, type Tx } from "../../db/db";

/** The last idempotency key that was searched, and the index of its database. */
export interface ResultCursor {
  readonly index: number;
  readonly caller: string;
  readonly key: string;
}

const resultsPerStep = 1_000;

/** Removes the stored results that contain one of the users or an erased report, from one page of the idempotency keys. */
export async function eraseResults(
  tx: Tx,
  { userId, createdAt }: { readonly userId: string; readonly createdAt: readonly number[] },
  { index, caller, key }: ResultCursor = { index: 0, caller: "", key: "" },
): Promise<ErasureStep<ResultCursor>> {
  const schema = everySchema(tx)[index];
  if (schema === undefined) return { next: undefined };
  // The reports and the results that have them are on the coordinator, which comes first.
  const remove = index === 0 ? removeResults : removeResultsOfSchema;
  const [last] = await schema.query(remove, [caller, key, resultsPerStep, userId, createdAt]);
  return { next: last === undefined ? { index: index + 1, caller: "", key: "" } : { index, ...last } };
}

/**
 * Whether a transaction of a server that began before this time is still running. Transactions have a time limit. Servers have the same
 * name for their connections, that of the database URL if it has one. On Citus, they may also be connected to the workers.
 */
export async function hasEarlierRequests(db: Db, before: number): Promise<boolean> {
  for (const schema of everySchema(db))
    if ((await schema.query(findEarlier, [before])).length > 0) return true;
  return false;
}

const findEarlier: Statement<unknown> = {
  name: "privacy.find-earlier",
  text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = current_setting('application_name')
    AND pid <> pg_backend_pid() AND xact_start < to_timestamp(($1::bigint + 1) / 1000.0) LIMIT 1`,
};

// A result with the data of a user has its id and the time of its creation, which distinguish it from later users with the id. A report
// that is erased, or gone with its channel, may quote a message or name a user.
const remove = (isOfReport: string) => `WITH page AS MATERIALIZED (
      SELECT caller, key, result FROM idempotency_keys WHERE (caller, key) > ($1, $2) ORDER BY caller, key LIMIT $3
    ), erased AS (
      DELETE FROM idempotency_keys stored USING page
      WHERE stored.caller = page.caller AND stored.key = page.key AND (
        (strpos(page.result::text, '"' || $4::text || '"') > 0 AND jsonb_path_exists(page.result::jsonb,
          '$.** ? (@.userId == $id && @.createdAt == $created[*])',
          jsonb_build_object('id', $4::text, 'created', $5::bigint[])))
        OR ${isOfReport})
    )
    SELECT caller, key FROM page ORDER BY caller DESC, key DESC LIMIT 1`;

type LastKey = Pick<ResultCursor, "caller" | "key">;
const removeResults: Statement<LastKey> = {
  name: "privacy.remove-results",
  text: remove(`(page.result->0->>'reportId' IS NOT NULL AND NOT EXISTS (
          SELECT FROM reports WHERE report_id = page.result->0->>'reportId' AND reason <> 'Erased'))`),
};
const removeResultsOfSchema: Statement<LastKey> = {
  name: "privacy.remove-results-of-schema",
  text: remove("false"),
};
