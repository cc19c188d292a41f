import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/db/db";

const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;

/** Resolves when another connection waits for a lock that the connection of `query` holds. */
export async function untilBlocking(query: (sql: string) => Promise<readonly unknown[]>): Promise<void> {
  while ((await query(waiting)).length === 0) await sleep(10);
}

const waitingNext = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_blocking_pids(pid) && ARRAY(
  SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`;

/** Resolves when another connection waits for one that waits for a lock that the connection of `query` holds. */
export async function untilWaitingNext(query: (sql: string) => Promise<readonly unknown[]>): Promise<void> {
  while ((await query(waitingNext)).length === 0) await sleep(10);
}

const waitingForLocks = {
  name: "test.waiting-for-locks",
  text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
};

/** How many connections to the database wait for locks. Not for a transaction: there, pg_stat_activity does not change. */
export const countWaiting = async (db: Pick<Database, "query">) => (await db.query(waitingForLocks)).length;
