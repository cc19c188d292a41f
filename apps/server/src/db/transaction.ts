import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isConnectionLost, isRolledBack } from "./faults";

const mostAttempts = 3;
const longestPauseMs = 50;
/** A connection that was silent for longer before it counted as lost has cost the caller time enough. */
const longestFirstMs = 1_000;

/**
 * Runs the work as one unit, once more where PostgreSQL certainly undid it: a deadlock, a serialisation fault, or a
 * connection that broke before COMMIT was sent. After that nobody knows, and the failure is handed on.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt++) {
    const progress = { isCommitting: false };
    const client = await pool.connect();
    try {
      return await runOnce(client, work, progress);
    } catch (error) {
      const isPrompt = performance.now() - startedAt < longestFirstMs;
      const isUndone = isRolledBack(error) || (isConnectionLost(error) && !progress.isCommitting && isPrompt);
      if (!isUndone || attempt === mostAttempts) throw error;
      await sleep(Math.random() * longestPauseMs * attempt);
    }
  }
}

/** Runs one statement, once more where PostgreSQL certainly undid it. A broken connection leaves that open. */
export async function repeatIfUndone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error) || attempt === mostAttempts) throw error;
      await sleep(Math.random() * longestPauseMs * attempt);
    }
  }
}

async function runOnce<Result>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<Result>,
  progress: { isCommitting: boolean },
): Promise<Result> {
  // A connection that breaks between two statements would end the process if nobody listened.
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    progress.isCommitting = true;
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // What gave no answer gives none to ROLLBACK either; closing the connection makes PostgreSQL undo the work.
    if (isConnectionLost(error)) lost ??= error;
    else await client.query("ROLLBACK").catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(lost);
  }
}
