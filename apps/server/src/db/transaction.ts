import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { borrow } from "./connection/borrow";
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
export function inTransaction<Result>(
  pool: Pick<pg.Pool, "connect">,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let isCommitting = false;
  const attempt = async (client: pg.PoolClient) => {
    isCommitting = false;
    await client.query("BEGIN");
    const result = await work(client);
    isCommitting = true;
    await client.query("COMMIT");
    return result;
  };
  // When a broken connection is closed, PostgreSQL rolls back.
  const rollBack = (client: pg.PoolClient) => client.query("ROLLBACK");
  return retry(
    () => borrow(pool, attempt, rollBack),
    (error) => {
      const isPrompt = performance.now() - startedAt < maxFirstAttemptMs;
      return isRolledBack(error) || (isConnectionLost(error) && !isCommitting && isPrompt);
    },
  );
}

/**
 * Waits for statements that were sent to one connection at once, and for all of them: after one that failed, PostgreSQL rejects the
 * others. Rejects with the error of the first one that failed.
 */
export async function inOrder<Steps extends readonly unknown[] | []>(
  steps: Steps,
): Promise<{ -readonly [Step in keyof Steps]: Awaited<Steps[Step]> }> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}

/** Runs one statement. Retries it if PostgreSQL certainly rolled it back, which is unknown after a broken connection. */
export const retryIfRolledBack = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retry(work, isRolledBack);

async function retry<Result>(
  work: () => Promise<Result>,
  isUndone: (error: unknown) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isUndone(error) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * maxPauseMs * attempt);
    }
  }
}
