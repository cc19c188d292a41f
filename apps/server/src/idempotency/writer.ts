import type { Recording } from "../audit/record-requests";
import { type ChangeOfSender, queueEntry, readSubject, type SubjectOfRow } from "../audit/store";
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
 *
 * With an idempotency key, a change takes effect once; later it returns the rows of the first run. No rows mean that nothing was
 * changed: then neither the result nor the audit entry is stored.
 */
export interface Writer extends Queryable {
  /** Absent if the request has no idempotency key. */
  readonly claim: Claim | undefined;
  /** Absent if the request is not recorded in the audit log. */
  readonly recording: Recording | undefined;
  /** Runs a statement that changes data. */
  write<Row>(
    statement: Statement<Row> | ChangeOfSender<Row> | HotWrite<Row>,
    values: readonly unknown[],
  ): Promise<Row[]>;
  /**
   * Runs several statements in a transaction, which also stores the returned rows as the result of the idempotency key, and the
   * audit entry. `subject` names the columns of the first row that complete the entry. `[]` in the type makes the result of
   * `return [row]` a tuple, so that its row is never undefined.
   */
  writeAll<Rows extends unknown[] | []>(
    work: (tx: Queryable) => Promise<Rows>,
    subject?: SubjectOfRow,
  ): Promise<Rows>;
  channel(channelId: string): Writer;
}

export function openWriter(db: Queryable, { claim, recording }: RequestOptions = {}): Writer {
  const writer: Writer = {
    claim,
    recording,
    query: db.query,
    transaction: db.transaction,
    async write(statement, values) {
      if ("keyed" in statement) {
        const rows = await writeHot(db, statement, [...values, recording?.entry], claim);
        noteWritten(rows);
        return rows;
      }
      if (claim === undefined && recording === undefined) return db.query(statement, values);
      const subject = "subject" in statement ? statement.subject : undefined;
      return writer.writeAll((tx) => tx.query(statement, values), subject);
    },
    async writeAll<Rows extends unknown[] | []>(
      work: (tx: Queryable) => Promise<Rows>,
      subject: SubjectOfRow = {},
    ) {
      const rows = await db.transaction(async (tx): Promise<Rows> => {
        // On Citus, the keys are on the coordinator.
        const keys = tx.shard?.coordinator ?? tx;
        if (claim !== undefined) {
          const [earlier] = await keys.query(findResult, [claim.caller, claim.key]);
          // An earlier run of the same operation stored them.
          if (earlier !== undefined) return replay(claim, earlier) as Rows;
        }
        const done = await work(tx);
        if (done.length === 0) return done;
        if (claim !== undefined) {
          const { caller, key, fingerprint } = claim;
          await keys.query(storeResult, [caller, key, fingerprint, JSON.stringify(done)]);
        }
        if (recording !== undefined) await queueEntry(tx, recording.entry, readSubject(subject, done[0]));
        return done;
      });
      noteWritten(rows);
      return rows;
    },
    channel: (channelId) => openWriter(db.channel(channelId), { claim, recording }),
    shards: db.shards,
    isDistributed: db.isDistributed,
  };

  /** Notes that the audit entry was stored with the change. */
  function noteWritten(rows: readonly unknown[]): void {
    if (recording !== undefined && rows.length > 0 && claim?.isReplayed !== true) recording.isWritten = true;
  }
  return writer;
}

/** A name that is equal for requests with the same idempotency key. Empty without a key. */
export const nameClaim = ({ claim }: Writer): readonly string[] =>
  claim === undefined ? [] : [`${claim.caller} ${claim.key}`];

/** Of two concurrent requests with one key, the second fails on the primary key of `idempotency_keys` and changes nothing. */
async function writeHot<Row>(
  db: Queryable,
  statement: HotWrite<Row>,
  values: readonly unknown[],
  claim: Claim | undefined,
): Promise<Row[]> {
  if (claim === undefined) return db.query(statement, values);
  if (db.shard !== undefined) return writeOnShard(db.shard, statement, values, claim);
  const { caller, key, fingerprint } = claim;
  const rows = await db.query(statement.keyed, [...values, caller, key, fingerprint]);
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
