import { setTimeout as sleep } from "node:timers/promises";

const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;

/** Settles once somebody waits for a lock that the asking connection holds. */
export async function untilBlocking(ask: (sql: string) => Promise<readonly unknown[]>): Promise<void> {
  while ((await ask(waiting)).length === 0) await sleep(10);
}
