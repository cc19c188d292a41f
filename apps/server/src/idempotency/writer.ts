import type { Recording } from "../audit/record-requests";
import { type ChangeOfSender, noSubject, readSubject, type SubjectValues, writeEntry } from "../audit/store";
import type { Queryable, Statement } from "../db/db";
import { type Claim, replay } from "./claim";
import type { HotWrite } from "./hot-write";
import { findResult, runOnShard, storeResult } from "./store";

/** The idempotency key and the audit entry of a request. */
interface RequestOptions {
  readonly claim?: Claim | undefined;
  readonly recording?: Recording | undefined;
}

/**
 * The database for the change that a request makes. Stores accept only a `Writer` for changes, and `once` creates it, so a handler
 * cannot bypass the idempotency key or the audit entry.
 */
export interface Writer extends Queryable {
  /** Absent if the request has no idempotency key. */
  readonly claim: Claim | undefined;
  /** Absent if the request is not recorded in the audit log. */
  readonly recording: Recording | undefined;
  /**
   * Runs a statement that changes data; no rows mean that nothing was changed. With an idempotency key, it takes effect
   * once, and then returns the rows of the first run.
   */
  write<Row>(
    statement: Statement<Row> | ChangeOfSender<Row> | HotWrite<Row>,
    values: readonly unknown[],
  ): Promise<Row[]>;
  /**
   * Runs several statements in a transaction. With an idempotency key, they take effect once, and the returned rows are stored as
   * the result of the key. The result and the audit entry are stored even if nothing was changed.
   */
  writeAll<Row>(work: (tx: Queryable) => Promise<Row[]>): Promise<Row[]>;
  transaction<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>;
  channel(channelId: string): Writer;
}

/** The subject of the audit entry of a transaction. Undefined until the transaction has changed something. */
interface Progress {
  subject?: SubjectValues;
}

export const openWriter = (db: Queryable, options: RequestOptions = {}): Writer => open(db, options);

/** `progress` belongs to the current transaction. Undefined outside one, or if the request is not recorded. */
function open(db: Queryable, { claim, recording }: RequestOptions, progress?: Progress): Writer {
  const options = { claim, recording };
  const writer: Writer = {
    claim,
    recording,
    query: db.query,
    async write(statement, values) {
      if (recording !== undefined && progress === undefined && !("keyed" in statement))
        return writer.transaction((tx) => tx.write(statement, values));
      // A transaction writes its entry at its end.
      const entry = progress === undefined ? recording?.entry : undefined;
      const all = "keyed" in statement ? [...values, entry] : values;
      const rows = await (claim === undefined
        ? db.query(statement, all)
        : writeOnce(db, statement, all, claim));
      if (rows.length > 0 && claim?.isReplayed !== true) {
        if (progress !== undefined)
          progress.subject = "subject" in statement ? readSubject(statement.subject, rows[0]) : noSubject;
        else if (recording !== undefined) recording.isWritten = true;
      }
      return rows;
    },
    async writeAll(work) {
      if (recording !== undefined && progress === undefined)
        return writer.transaction((tx) => tx.writeAll(work));
      const rows = await (claim === undefined ? db.transaction(work) : workOnce(db, work, claim));
      if (progress !== undefined && claim?.isReplayed !== true) progress.subject = noSubject;
      return rows;
    },
    async transaction(work) {
      if (recording === undefined || progress !== undefined)
        return db.transaction((tx) => work(open(tx, options, progress)));
      let isChanged = false;
      const result = await db.transaction(async (tx) => {
        const own: Progress = {};
        const done = await work(open(tx, options, own));
        isChanged = own.subject !== undefined;
        if (own.subject !== undefined) await writeEntry(tx, recording.entry, own.subject);
        return done;
      });
      if (isChanged) recording.isWritten = true;
      return result;
    },
    channel: (channelId) => open(db.channel(channelId), options, progress),
    shards: db.shards,
    isDistributed: db.isDistributed,
  };
  return writer;
}

/** A name that is equal for requests with the same idempotency key. Empty without a key. */
export const nameClaim = ({ claim }: Writer): readonly string[] =>
  claim === undefined ? [] : [`${claim.caller} ${claim.key}`];

/**
 * Of two concurrent requests with one key, the second fails on the primary key of `idempotency_keys` and changes nothing.
 */
function writeOnce<Row>(
  db: Queryable,
  statement: Statement<Row> | HotWrite<Row>,
  values: readonly unknown[],
  claim: Claim,
): Promise<Row[]> {
  if (db.shard !== undefined) return writeOnShard(db.shard, statement, values, claim);
  return "keyed" in statement
    ? writeInOneStatement(db, statement, values, claim)
    : workOnce(db, (tx) => tx.query(statement, values), claim);
}

function workOnce<Row>(db: Queryable, work: (tx: Queryable) => Promise<Row[]>, claim: Claim): Promise<Row[]> {
  const { caller, key, fingerprint } = claim;
  return db.transaction(async (tx) => {
    const [earlier] = await tx.query(findResult, [caller, key]);
    if (earlier !== undefined) return replay(claim, earlier);
    const rows = await work(tx);
    if (rows.length > 0) await tx.query(storeResult, [caller, key, fingerprint, JSON.stringify(rows)]);
    return rows;
  });
}

async function writeInOneStatement<Row>(
  db: Queryable,
  { keyed }: HotWrite<Row>,
  values: readonly unknown[],
  claim: Claim,
): Promise<Row[]> {
  const { caller, key, fingerprint } = claim;
  const rows = await db.query(keyed, [...values, caller, key, fingerprint]);
  const [first] = rows;
  if (first === undefined || first.earlierFingerprint === null)
    // Without an earlier result, all rows come from the effect.
    return rows as Exclude<(typeof rows)[number], { earlierFingerprint: Buffer }>[];
  return replay(claim, { fingerprint: first.earlierFingerprint, result: first.earlierResult });
}

/** The keys are on the coordinator, so it makes the change, in one transaction on two nodes. */
async function writeOnShard<Row>(
  { coordinator, prepareCall }: NonNullable<Queryable["shard"]>,
  statement: Statement<Row>,
  values: readonly unknown[],
  claim: Claim,
): Promise<Row[]> {
  const { caller, key, fingerprint } = claim;
  const call = prepareCall(statement, values);
  const [done] = await coordinator.query(runOnShard(statement.name), [caller, key, fingerprint, ...call]);
  if (done?.earlier != null) return replay(claim, { fingerprint: done.earlier, result: done.rows ?? [] });
  return done?.rows ?? [];
}
