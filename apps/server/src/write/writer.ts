import type { Db, Tx } from "../db/db";
import type { SubjectOfRow } from "./audit/entries-store";
import type { Command, RowOf } from "./command";
import { findResult, lockIdempotencyKey, readRows, recordWrite } from "./idempotency-store";
import type { RunningWrite, WriteRequest, WriteState } from "./request";
import { isLocked, keyReused, runCalls } from "./run-command";
import { shareStatements } from "./share-statements";

/**
 * Makes the change of a request. The handler gets it and passes it to the store, which makes every change of the request with it: so none
 * bypasses the idempotency key or the audit entry. Only work that no request asked for is done without it, such as that of a job which
 * cannot wait.
 *
 * | the change                                                        | is made with                                       |
 * | ----------------------------------------------------------------- | -------------------------------------------------- |
 * | one statement, after its locks, which concurrent requests share   | `write`, with a command                         |
 * | anything else in one transaction                                  | `writeAll`; `writeLocked` for one after a lock     |
 * | several channels, which may be in different schemas               | `writeSchemas`                                     |
 * | a part of the transaction of another change                       | `openWriter(tx)`: without a key and an entry       |
 *
 * What may be rejected is wrapped in `writeOrExplain`.
 *
 * With an idempotency key, a change takes effect once; later it returns the rows of the first run. No rows mean that nothing was
 * changed: then neither the result nor the audit entry is stored.
 */
export interface Writer extends RunningWrite {
  /** Reads, to explain why a change had no effect. */
  readonly db: Db;
  /**
   * Runs a command, which may share its statement with other requests. Returns one row, or none without an effect. A check that throws
   * rejects the change: under the locks of the command, and before, so that a user does not wait for a channel that does not exist for it.
   */
  write<Row, Column extends string>(
    command: Command<Row, Column>,
    row: RowOf<Column>,
    check?: Check,
  ): Promise<Row[]>;
  /**
   * Runs statements in a transaction, which also stores the returned rows as the result of the idempotency key, and the
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

type Check = (tx: Pick<Db, "query">) => Promise<void>;

/** Without a request, the writer of a change that none asked for by itself, such as one within the transaction of another. */
export function openWriter(
  db: Db,
  sent?: WriteRequest,
  state: WriteState = { outcome: "none" },
  /** The channel whose writes take turns. */
  channelId?: string,
): Writer {
  const request = sent ?? {};
  const inTurn = <Result>(write: () => Promise<Result>) =>
    channelId === undefined ? write() : db.takeTurn(channelId, write);
  const writer: Writer = {
    request,
    state,
    db,
    async write(command, row, check) {
      if (check !== undefined)
        return writer.writeAll((tx) => writeChecked(tx, command, row, check), command.subject);
      const { sharing, runners } = command;
      const call = { write: writer, row, inTurn };
      if (sharing === undefined || sent === undefined)
        return (await inTurn(() => runCalls(db, command, [call]))).filter((written) => written !== undefined);
      const run = runners.get(db) ?? shareStatements(db, command, sharing);
      runners.set(db, run);
      const written = await run(call);
      return written === undefined ? [] : [written];
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

async function writeChecked<Row, Column extends string>(
  tx: Tx,
  { lock, ...command }: Command<Row, Column>,
  row: RowOf<Column>,
  check: Check,
): Promise<Row[]> {
  await check(tx);
  if (lock !== undefined) {
    const locked = await tx.query(
      lock.statement,
      [...lock.columns, ...(lock.others ?? [])].map((column) => [row[column]]),
    );
    await check(tx);
    if (!isLocked(lock, locked, row)) return [];
  }
  return openWriter(tx).write(command, row);
}

/** Runs `writeAll`. `prepare` comes before the look for an earlier result. */
async function runAll<Rows extends unknown[] | []>(
  db: Db,
  { request, state }: RunningWrite,
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
      state.outcome = "replayed";
      // An earlier run of the same operation stored them.
      return { outcome: "replayed", rows: readRows(earlier.result) as Rows };
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
