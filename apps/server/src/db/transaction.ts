import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isConnectionLost, isRolledBack } from "./faults";

const maxAttempts = 3;
const maxPauseMs = 50;
/** After a lost connection, work is retried only if it was lost within this time: the request has waited long enough. */
const maxFirstAttemptMs = 1_000;

/** Begins a transaction that may take long, whatever limits the role has. */
export const beginUnlimited =
  "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/**
 * Runs the work in a transaction. Retries it if PostgreSQL certainly rolled it back: after a deadlock, a serialisation
 * failure, a plan that a migration outdated, or a connection that broke before COMMIT was sent. Once COMMIT was sent, the
 * outcome is unknown and the error is thrown.
 */
export async function inTransaction<Result>(
  pool: Pick<pg.Pool, "connect">,
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

/** Runs one statement. Retries it if PostgreSQL certainly rolled it back, which is unknown after a broken connection. */
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
  // Without a listener, a connection that breaks between two statements would crash the process.
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
    // A silent connection does not respond to ROLLBACK either. When it is closed, PostgreSQL rolls back.
    if (isConnectionLost(error)) lost ??= error;
    else await client.query("ROLLBACK").catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(lost);
  }
}
