import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** A statement waits for a lock for 200 ms at most where requests queue behind it. */
const pollMs = 100;
/** Each server holds locks for moments. */
const minAgeSeconds = 1;
const minPauseMs = 1_000;
const maxSilenceMs = 10_000;

export type OnWait = (holder: string) => void;

/**
 * While the work runs, reports the client that the process of PostgreSQL waits for, as soon as there is one, and again every ten
 * seconds. The observer needs a connection of its own without a transaction: CREATE INDEX CONCURRENTLY waits for snapshots.
 */
export async function reportWaits<Result>(
  observer: pg.Client,
  pid: number,
  onWait: OnWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const observe = async () => {
    const report = createWaitReport(observer, `SELECT unnest(pg_blocking_pids(${pid}))`, onWait);
    while (!ended.signal.aborted) {
      await report();
      await sleep(pollMs, undefined, { signal: ended.signal });
    }
  };
  // What is observed must not fail the work.
  const observed = observe().catch(() => undefined);
  try {
    return await work();
  } finally {
    ended.abort();
    await observed;
  }
}

/** Reports the oldest of the processes of PostgreSQL that the query finds. Of other roles, it may not see the age. */
export function createWaitReport(observer: pg.Client, findPids: string, onWait: OnWait): () => Promise<void> {
  const text = `SELECT pid, coalesce(nullif(application_name, ''), backend_type, 'a client') AS name, seconds
     FROM (${findPids}) AS holders (pid) LEFT JOIN pg_stat_activity USING (pid),
       extract(epoch FROM clock_timestamp() - xact_start) AS seconds
     WHERE seconds IS NULL OR seconds >= ${minAgeSeconds} ORDER BY seconds DESC NULLS LAST LIMIT 1`;
  let reported = { pid: -1, at: Number.NEGATIVE_INFINITY };
  return async () => {
    const { rows } = await observer.query<{ pid: number; name: string; seconds: string | null }>(text);
    const [holder] = rows;
    if (holder === undefined) return;
    const pauseMs = holder.pid === reported.pid ? maxSilenceMs : minPauseMs;
    if (performance.now() - reported.at < pauseMs) return;
    reported = { pid: holder.pid, at: performance.now() };
    const since =
      holder.seconds === null ? "" : `, in a transaction for ${Math.floor(Number(holder.seconds))} s`;
    // Zero stands for a transaction that was prepared.
    onWait(
      holder.pid === 0
        ? "a prepared transaction (in pg_prepared_xacts)"
        : `${holder.name} (process ${holder.pid} of PostgreSQL${since})`,
    );
  };
}
