import type { Queryable, Statement } from "../../db/db";

/** The last idempotency key that was searched. */
export interface ResultCursor {
  readonly caller: string;
  readonly key: string;
}

const resultsPerStep = 1_000;

/**
 * Removes stored results that contain the id, because they may contain the name, and those of erased reports, from one page of the
 * idempotency keys. Results with the id that were stored after `cleanBefore` belong to a new user. Returns undefined after the
 * last page.
 */
export async function eraseResults(
  tx: Queryable,
  { userId, cleanBefore }: { userId: string; cleanBefore: number },
  { caller = "", key = "" }: Partial<ResultCursor>,
): Promise<Partial<ResultCursor> | undefined> {
  const [last] = await tx.query(erase, [caller, key, resultsPerStep, `"${userId}"`, cleanBefore]);
  return last;
}

/** Whether a transaction of a server that began before this time is still running. Transactions have a time limit. */
export const hasEarlierRequests = async (tx: Queryable, before: number): Promise<boolean> =>
  (await tx.query(findEarlier, [before])).length > 0;

const findEarlier: Statement<unknown> = {
  name: "privacy.find-earlier",
  text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'madang'
    AND pid <> pg_backend_pid() AND xact_start < to_timestamp(($1::bigint + 1) / 1000.0) LIMIT 1`,
};

// The first row of a result shows its operation: an erasure is kept, although it has the id. A report that is erased, or gone with its
// channel, may quote a message, whenever its result was stored. Every other result with the id goes, because it may have the name.
const erase: Statement<ResultCursor> = {
  name: "privacy.erase-results",
  text: `WITH page AS MATERIALIZED (
      SELECT caller, key, created_at, result FROM idempotency_keys WHERE (caller, key) > ($1, $2)
      ORDER BY caller, key LIMIT $3
    ), erased AS (
      DELETE FROM idempotency_keys stored USING page
      WHERE stored.caller = page.caller AND stored.key = page.key
        AND page.result->0->>'erasureId' IS NULL
        AND ((page.created_at <= $5 AND strpos(page.result::text, $4) > 0) OR (page.result->0->>'reportId' IS NOT NULL
          AND NOT EXISTS (SELECT FROM reports WHERE report_id = page.result->0->>'reportId' AND reason <> 'Erased')))
    )
    SELECT caller, key FROM page ORDER BY caller DESC, key DESC LIMIT 1`,
};
