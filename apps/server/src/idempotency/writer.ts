import type { Queryable, Statement } from "../db/db";
import { type Claim, replay } from "./claim";
import type { HotWrite } from "./hot-write";
import { findResult, runOnShard, storeResult } from "./store";

/**
 * The database for the change that a request makes. Stores write through it alone, so a handler cannot ignore the
 * idempotency key: `once` is the way to a writer.
 */
export interface Writer extends Queryable {
  /** Absent if the request has no idempotency key. */
  readonly claim: Claim | undefined;
  /**
   * Runs a statement that changes data; no rows mean that nothing was changed. With an idempotency key, it takes effect
   * once, and then returns the rows of the first run.
   */
  write<Row>(statement: Statement<Row> | HotWrite<Row>, values: readonly unknown[]): Promise<Row[]>;
  transaction<Result>(work: (tx: Writer) => Promise<Result>): Promise<Result>;
  channel(channelId: string): Writer;
}

export function openWriter(db: Queryable, claim?: Claim): Writer {
  return {
    claim,
    query: db.query,
    write: (statement, values) =>
      claim === undefined ? db.query(statement, values) : writeOnce(db, statement, values, claim),
    transaction: (work) => db.transaction((tx) => work(openWriter(tx, claim))),
    channel: (channelId) => openWriter(db.channel(channelId), claim),
    shards: db.shards,
    isDistributed: db.isDistributed,
  };
}

/** What requests with one idempotency key have in common: none, without a key. */
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
    : writeInTransaction(db, statement, values, claim);
}

function writeInTransaction<Row>(
  db: Queryable,
  statement: Statement<Row>,
  values: readonly unknown[],
  claim: Claim,
): Promise<Row[]> {
  const { caller, key, fingerprint } = claim;
  return db.transaction(async (tx) => {
    const [earlier] = await tx.query(findResult, [caller, key]);
    if (earlier !== undefined) return replay(claim, earlier);
    const rows = await tx.query(statement, values);
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
  const statement = keyed(values.length);
  const rows = await db.query(statement, [...values, caller, key, fingerprint]);
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
