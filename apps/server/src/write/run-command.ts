import type { Db, Statement } from "../db/db";
import { inOrder } from "../db/transaction";
import { ServiceError } from "../errors/service-error";
import type { Call, Command, CommandRow, Lock, Locked, RowOf } from "./command";
import { readRows } from "./idempotency-store";
import type { RunningWrite } from "./request";

/**
 * Runs a command for several requests. A result is undefined if the request had no effect. Two requests of a batch may not have the same
 * idempotency key; if another request uses one of the keys now, the batch fails. So it does if it waits for a lock for longer than
 * `maxLockWaitMs`.
 */
export function runCalls<Row, Column extends string>(
  db: Db,
  command: Command<Row, Column>,
  calls: readonly Call<Column>[],
  maxLockWaitMs: number | null = null,
): Promise<(Row | undefined)[]> {
  const { statement, lock } = command;
  const valuesOf = (columns: readonly Column[]) =>
    columns.map((column) => calls.map(({ row }) => row[column]));
  const writes = calls.map(({ write }) => write);
  return runFor(db, writes, async (requests) => {
    const values = [...valuesOf(command.columns), maxLockWaitMs, ...requests];
    if (lock === undefined) return db.query(statement, values);
    const locking = db.transaction(async (tx) => {
      const [, locked, rows] = await inOrder([
        maxLockWaitMs === null ? undefined : tx.query(limitWait, [maxLockWaitMs]),
        tx.query(lock.statement, valuesOf([...lock.columns, ...(lock.others ?? [])])),
        tx.query(statement, values),
      ]);
      const changed = rows.filter(({ earlierFingerprint }) => earlierFingerprint === null);
      if (changed.every(({ ordinal }) => isLocked(lock, locked, calls[ordinal - 1]?.row))) return rows;
      throw new NotLocked();
    });
    return locking.catch((error: unknown) => {
      if (error instanceof NotLocked) return [];
      throw error;
    });
  });
}

const limitWait: Statement<unknown> = {
  name: "write.limit-wait",
  text: "SELECT set_config('lock_timeout', $1, true)",
};

/** Rolls back: a row did not exist when the lock ran, and existed when the command did. */
class NotLocked extends Error {}

/** Whether the lock has locked every row that a request names. */
export function isLocked<Column extends string>(
  { columns }: Lock<Column>,
  locked: readonly Locked[],
  row: RowOf<Column> | undefined,
): boolean {
  const isNamed = (id: unknown, position: number) =>
    locked.some((one) => one.position === position && one.id === id);
  return columns.every((column, index) => row?.[column] == null || isNamed(row[column], index + 1));
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
      // It is rejected when it runs alone. So is one whose earlier request was rejected by a check.
      return undefined;
    }
    if ("code" in row.earlierResult && writes.length > 1) return undefined;
    state.outcome = "replayed";
    return readRows(row.earlierResult)[0];
  });
}

export const keyReused = () =>
  new ServiceError(
    "idempotency_key_reused",
    "An earlier request used this idempotency key. Send a new key with each new request.",
  );
