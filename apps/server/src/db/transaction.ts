import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isConnectionLost, isRolledBack } from "./faults";

const maxAttempts = 3;
const maxPauseMs = 50;
/** A connection that was silent for longer before it counted as lost has cost the request enough time. */
const maxFirstAttemptMs = 1_000;

/**
 * Runs the work as one unit, and again where PostgreSQL certainly undid it: a deadlock, a serialisation fault, a plan
 * that a migration outdated, or a connection that broke before COMMIT was sent. After COMMIT was sent the outcome is
 * unknown, and the error is thrown.
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
      const isPrompt = performance.now() - startedAt < maxFirstAttemptMs;
      const isUndone = isRolledBack(error) || (isConnectionLost(error) && !progress.isCommitting && isPrompt);
      if (!isUndone || attempt === maxAttempts) throw error;
      await sleep(Math.random() * maxPauseMs * attempt);
    }
  }
}

/** Runs one statement, and again where PostgreSQL certainly undid it. After a broken connection that is unknown. */
export async function retryIfRolledBack<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * maxPauseMs * attempt);
    }
  }
}

async function runOnce<Result>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<Result>,
  progress: { isCommitting: boolean },
): Promise<Result> {
  // A connection that breaks between two statements would end the process if nothing listened.
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
    // A silent connection does not respond to ROLLBACK either; closing it makes PostgreSQL undo the work.
    if (isConnectionLost(error)) lost ??= error;
    else await client.query("ROLLBACK").catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(lost);
  }
}
