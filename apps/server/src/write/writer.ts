import type { Db, Tx } from "../db/db";
import { ServiceError } from "../errors/service-error";
import type { SubjectOfRow } from "./audit/entries-store";
import type { BatchCommand, Command } from "./command";
import { findResult, lockIdempotencyKey, recordWrite } from "./idempotency-store";
import type { WriteRequest } from "./request";

/**
 * Makes the change of a request. The handler gets it and passes it to the store, which makes every change of the request with it: so none
 * bypasses the idempotency key or the audit entry. Only work that no request asked for is done without it, such as that of a job which
 * cannot wait.
 *
 * | the change                                            | is made with                                            |
 * | ----------------------------------------------------- | ------------------------------------------------------- |
 * | one statement                                         | `write`, with a command                                 |
 * | one statement that concurrent requests share          | `shareStatements`, and `writeRow` for a request alone   |
 * | one statement after a lock of its rows                | `writeLocked`                                           |
 * | several statements                                    | `writeAll`                                              |
 * | several channels, which may be in different schemas   | `writeSchemas`                                          |
 * | a part of the transaction of another change           | `openWriter(tx).write`: without a key and an entry      |
 *
 * What may be rejected is wrapped in `writeOrExplain`.
 *
 * With an idempotency key, a change takes effect once; later it returns the rows of the first run. No rows mean that nothing was
 * changed: then neither the result nor the audit entry is stored.
 */
export interface Writer {
  readonly request: WriteRequest;
  readonly state: WriteState;
  /** Reads, to explain why a change had no effect. */
  readonly db: Db;
  /**
   * Runs one statement that makes the change and also stores its result and the audit entry. Returns one row, or none without an
   * effect.
   */
  write<Row>(command: Command<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** The same with a command of several requests, for this one alone. */
  writeRow<Row, Column extends string>(
    command: BatchCommand<Row, Column>,
    row: RowOf<Column>,
  ): Promise<Row[]>;
  /**
   * Runs several statements in a transaction, which also stores the returned rows as the result of the idempotency key, and the
   * audit entry. `subject` names the columns of the first row that complete the entry. `[]` in the type makes the result of
   * `return [row]` a tuple, so that its row is never undefined.
   */
  writeAll<Rows extends unknown[] | []>(
    work: (tx: Tx) => Promise<Rows>,
    subject?: SubjectOfRow,
  ): Promise<Rows>;
  /**
   * Runs a change of several channels in a transaction, or on Citus in one for each of their schemas. Each stores its rows under the
   * idempotency key, so a request that was interrupted between them is completed when it is sent again. The audit entry is that of the
   * first one.
   */
  writeSchemas<Row>(
    channelIds: readonly string[],
    work: (tx: Tx, channelIds: readonly string[]) => Promise<Row[]>,
  ): Promise<Row[]>;
  /** The same for the database of a channel, whose writes take turns. */
  channel(channelId: string): Writer;
}

/** What became of a request. */
interface WriteState {
  /** Whether the change was made now, or by an earlier request with the key. */
  outcome: "none" | "written" | "replayed";
  /** Where the change was tried. On Citus, the key of a change of one channel is in the schema of the channel. */
  db?: Db;
}

/** Without a request, the writer of a change that none asked for by itself, such as one within the transaction of another. */
export function openWriter(
  db: Db,
  request: WriteRequest = {},
  state: WriteState = { outcome: "none" },
  /** The channel whose writes take turns. */
  channelId?: string,
): Writer {
  const inTurn = <Result>(write: () => Promise<Result>) =>
    channelId === undefined ? write() : db.takeTurn(channelId, write);
  const writer: Writer = {
    request,
    state,
    db,
    async write(command, values) {
      const rows = await inTurn(() => runCommand(db, command, values, [writer]));
      return rows.filter((row) => row !== undefined);
    },
    async writeRow(command, row) {
      const rows = await inTurn(() => writeRows(db, command, [{ writer, row }]));
      return rows.filter((written) => written !== undefined);
    },
    writeAll: (work, subject) => inTurn(() => runAll(db, writer, work, subject)),
    async writeSchemas(channelIds, work) {
      if (!db.isDistributed) return writer.writeAll((tx) => work(tx, channelIds));
      const { key, entry } = request;
      // Each `part` is the request in one schema, under the same key: when an interrupted request is sent again, the parts that are done
      // return their rows.
      const writeParts = async () => {
        const done: Awaited<ReturnType<typeof work>> = [];
        const parts = Map.groupBy(channelIds, (channelId) => db.channel(channelId));
        for (const [schema, ids] of parts) {
          const part = { key, entry: done.length === 0 ? entry : undefined };
          done.push(...(await openWriter(schema, part).writeAll((tx) => work(tx, ids))));
        }
        return done;
      };
      // On the coordinator is the result that the client gets when all parts are done. Of two requests with the key, one waits for it.
      if (key !== undefined)
        return runAll(db, { request: { key }, state }, writeParts, {}, (tx) => lockIdempotencyKey(tx, key));
      // In no transaction that could run again: without a key, the parts that are done would be made twice.
      const done = await writeParts();
      if (done.length > 0) state.outcome = "written";
      return done;
    },
    channel: (id) => openWriter(db.channel(id), request, state, id),
  };
  return writer;
}

/** The row of a request in the `sent` of a command. */
export type RowOf<Column extends string> = Readonly<Record<Column, unknown>>;

/**
 * Runs a command for several requests. A result is undefined if the request had no effect. Two requests of a batch may not have the same
 * idempotency key; if another request uses one of the keys now, the batch fails. So it does if it waits for a lock for longer than
 * `maxLockWaitMs`.
 */
export function writeRows<Row, Column extends string>(
  db: Db,
  command: BatchCommand<Row, Column>,
  calls: readonly { readonly writer: Writer; readonly row: RowOf<Column> }[],
  maxLockWaitMs?: number,
): Promise<(Row | undefined)[]> {
  const columns = command.columns.map((column) => calls.map(({ row }) => row[column]));
  const writers = calls.map(({ writer }) => writer);
  return runCommand(db, command, [...columns, maxLockWaitMs ?? null], writers);
}

async function runCommand<Row>(
  db: Db,
  { statement }: Command<Row>,
  values: readonly unknown[],
  writers: readonly Writer[],
): Promise<(Row | undefined)[]> {
  for (const { state } of writers) state.db = db;
  const requests = writers.map(({ request }) => request);
  const rows = await db.query(statement, [
    ...values,
    requests.map(({ key }) => key?.caller),
    requests.map(({ key }) => key?.key),
    requests.map(({ key }) => key?.fingerprint),
    requests.map(({ entry }) => entry),
  ]);
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return writers.map(({ request, state }, index) => {
    const row = byOrdinal.get(index + 1);
    if (row === undefined) return undefined;
    if (row.earlierFingerprint === null) {
      state.outcome = "written";
      return row;
    }
    if (request.key?.fingerprint !== row.earlierFingerprint) {
      if (writers.length === 1) throw keyReused();
      // It is rejected when it runs alone.
      return undefined;
    }
    state.outcome = "replayed";
    return row.earlierResult[0];
  });
}

/** Runs `writeAll`. `prepare` comes before the look for an earlier result. */
async function runAll<Rows extends unknown[] | []>(
  db: Db,
  { request, state }: Pick<Writer, "request" | "state">,
  work: (tx: Tx) => Promise<Rows>,
  subject: SubjectOfRow = {},
  prepare?: (tx: Tx) => Promise<void>,
): Promise<Rows> {
  const { key } = request;
  state.db = db;
  const { outcome, rows } = await db.transaction(async (tx): Promise<Done<Rows>> => {
    await prepare?.(tx);
    const earlier = key && (await findResult(tx, key));
    if (earlier !== undefined) {
      if (key?.fingerprint !== earlier.fingerprint) throw keyReused();
      // An earlier run of the same operation stored them.
      return { outcome: "replayed", rows: earlier.result as Rows };
    }
    const done = await work(tx);
    if (done.length === 0) return { outcome: "none", rows: done };
    await recordWrite(tx, request, done, subject);
    return { outcome: "written", rows: done };
  });
  state.outcome = outcome;
  return rows;
}

interface Done<Rows> {
  readonly outcome: WriteState["outcome"];
  readonly rows: Rows;
}

const keyReused = () =>
  new ServiceError(
    "idempotency_key_reused",
    "An earlier request used this idempotency key. Send a new key with each new request.",
  );
