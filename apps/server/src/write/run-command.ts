import type { Db } from "../db/db";
import { ServiceError } from "../errors/service-error";
import type { BatchCommand, Call, Command, CommandRow } from "./command";
import type { RunningWrite } from "./request";

/**
 * Runs a command for several requests. A result is undefined if the request had no effect. Two requests of a batch may not have the same
 * idempotency key; if another request uses one of the keys now, the batch fails. So it does if it waits for a lock for longer than
 * `maxLockWaitMs`.
 */
export function runCalls<Row, Column extends string>(
  db: Db,
  { statement, columns, lock }: BatchCommand<Row, Column>,
  calls: readonly Call<Column>[],
  maxLockWaitMs?: number,
): Promise<(Row | undefined)[]> {
  const valuesOf = (names: readonly Column[]) => names.map((name) => calls.map(({ row }) => row[name]));
  return runFor(
    db,
    calls.map(({ write }) => write),
    (requests) => {
      const values = [...valuesOf(columns), maxLockWaitMs ?? null, ...requests];
      if (lock === undefined) return db.query(statement, values);
      return db.queryLocked([lock.statement, valuesOf(lock.columns)], [statement, values], maxLockWaitMs);
    },
  );
}

/** Runs a command of one request. */
export function runCommand<Row>(
  db: Db,
  { statement }: Command<Row>,
  values: readonly unknown[],
  write: RunningWrite,
): Promise<(Row | undefined)[]> {
  return runFor(db, [write], (requests) => db.query(statement, [...values, ...requests]));
}

/** `run` gets the values of the requests, and returns the rows of a command. */
async function runFor<Row>(
  db: Db,
  writes: readonly RunningWrite[],
  run: (requests: readonly unknown[]) => Promise<CommandRow<Row>[]>,
): Promise<(Row | undefined)[]> {
  for (const { state } of writes) state.db = db;
  const requests = writes.map(({ request }) => request);
  const rows = await run([
    requests.map(({ key }) => key?.caller),
    requests.map(({ key }) => key?.key),
    requests.map(({ key }) => key?.fingerprint),
    requests.map(({ entry }) => entry),
  ]);
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return writes.map(({ request, state }, index) => {
    const row = byOrdinal.get(index + 1);
    if (row === undefined) return undefined;
    if (row.earlierFingerprint === null) {
      state.outcome = "written";
      return row;
    }
    if (request.key?.fingerprint !== row.earlierFingerprint) {
      if (writes.length === 1) throw keyReused();
      // It is rejected when it runs alone.
      return undefined;
    }
    state.outcome = "replayed";
    return row.earlierResult[0];
  });
}

export const keyReused = () =>
  new ServiceError(
    "idempotency_key_reused",
    "An earlier request used this idempotency key. Send a new key with each new request.",
  );
