import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/db/db";

const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;

type Query = (sql: string) => Promise<readonly unknown[]>;

/** Resolves when another connection waits for a lock that the connection of `query` holds. */
export const untilBlocking = (query: Query) => untilFound(query, waiting, "a lock of this connection");

const waitingNext = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_blocking_pids(pid) && ARRAY(
  SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`;

/** Resolves when another connection waits for one that waits for a lock that the connection of `query` holds. */
export const untilWaitingNext = (query: Query) =>
  untilFound(query, waitingNext, "one that waits for a lock of this connection");

/** What nothing waits for then was not locked, or not asked for. */
const limitMs = 120_000;

async function untilFound(query: Query, sql: string, what: string): Promise<void> {
  const startedAt = performance.now();
  while ((await query(sql)).length === 0) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`No other connection waited for ${what} within ${limitMs / 1_000} s.`);
    await sleep(10);
  }
}

const waitingForLocks = {
  name: "test.waiting-for-locks",
  text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
};

/** How many connections to the database wait for locks. Not for a transaction: there, pg_stat_activity does not change. */
export const countWaiting = async (db: Pick<Database, "query">) => (await db.query(waitingForLocks)).length;
