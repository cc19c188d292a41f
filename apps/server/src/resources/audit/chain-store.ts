import type { auditEntry } from "@madang/contract";
import type * as z from "zod";
import type { Queryable, Statement } from "../../db/db";
import { columnOf, type Row, selectList } from "../../db/row";
import { databaseNow } from "../../db/statement";
import { formatMessageId } from "../messages/message-id";
import { type ChainedEntry, entryFields, firstHash, hashEntry } from "./chain";

const entriesPerStep = 1_000;

/** Appends every entry that is committed now to the chain. */
export async function chainEntries(db: Queryable): Promise<void> {
  while (await chainStep(db, { waitsForLock: true }));
}

/**
 * Moves committed entries from the queue to the end of the chain, and returns whether more may be left. Entries of transactions
 * that commit later stay in the queue for a later step, so the chain has the order in which steps found the entries.
 *
 * One process at a time appends to the chain. While another process does, this one returns false, or waits with `waitsForLock`.
 */
export async function chainStep(
  db: Queryable,
  { waitsForLock }: { waitsForLock: boolean },
): Promise<boolean> {
  if (!(await hasEntries(db))) return false;
  return db.transaction(async (tx) => {
    await tx.query(createChain, [firstHash]);
    const [chain] = await tx.query(waitsForLock ? lockChain : tryLockChain);
    if (chain === undefined) return false;
    const taken = await tx.query(takeEntries, [entriesPerStep]);
    if (tx.isDistributed) taken.push(...(await takeFromShards(tx)));
    if (taken.length === 0) return false;
    let { number, hash } = chain;
    const entries = taken.sort(inOrder).map((one) => {
      number += 1;
      const entry = toEntry(number, one);
      hash = hashEntry(hash, entry);
      return toColumns(entry, hash);
    });
    await tx.query(append, [JSON.stringify(entries)]);
    await tx.query(setEnd, [number, hash]);
    return taken.length >= entriesPerStep;
  });
}

async function hasEntries(db: Queryable): Promise<boolean> {
  const queues = db.isDistributed ? [findAny, findAnyOfShards] : [findAny];
  for (const queue of queues) if ((await db.query(queue)).length > 0) return true;
  return false;
}

/** Takes the oldest entries of all shards by time: keys of different nodes cannot be compared. */
async function takeFromShards(tx: Queryable): Promise<Queued[]> {
  const times = await tx.query(findTimes, [entriesPerStep]);
  const until = times.at(-1)?.at;
  return until === undefined ? [] : tx.query(takeUntil, [until]);
}

const inOrder = (one: Queued, other: Queued) => one.at - other.at || one.pk - other.pk;

/** An entry as it was queued. The JSON has the field names of the contract. */
interface Queued
  extends Row<"QueuedAuditEntry", "pk" | "at" | "channelId" | "messageCreatedAt" | "messagePk"> {
  readonly entry: Omit<z.infer<typeof auditEntry>, "entry_id" | "at">;
}

function toEntry(
  number: number,
  { at, entry, channelId, messageCreatedAt, messagePk }: Queued,
): ChainedEntry {
  const messageId =
    messageCreatedAt !== null && messagePk !== null
      ? formatMessageId({ createdAt: messageCreatedAt, pk: messagePk })
      : null;
  return {
    number,
    at,
    operation: entry.operation,
    method: entry.method,
    status: entry.status,
    code: entry.code ?? null,
    kind: entry.kind,
    keyId: entry.key_id ?? null,
    actor: entry.actor ?? null,
    reason: entry.reason ?? null,
    address: entry.address,
    userId: entry.user_id ?? null,
    channelId: channelId ?? entry.channel_id ?? null,
    messageId: messageId ?? entry.message_id ?? null,
  };
}

/** The columns of an entry, for JSON. */
const toColumns = (entry: ChainedEntry, hash: Buffer) => ({
  ...Object.fromEntries(columnsOfFields.map(([field, column]) => [column, entry[field]])),
  hash: `\\x${hash.toString("hex")}`,
});

/**
 * Removes some expired entries, and returns whether there may be more. The chain keeps the hash of the last removed entry, so
 * that the remaining entries can still be verified.
 */
export function sweepExpiredEntries(db: Queryable, retentionMs: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [chain] = await tx.query(tryLockChain);
    if (chain === undefined) return false;
    const removed = await tx.query(removeExpired, [retentionMs, entriesPerStep]);
    return removed.length === entriesPerStep;
  });
}

const findAny: Statement<unknown> = {
  name: "audit.find-any",
  text: "SELECT 1 FROM queued_audit_entries ORDER BY pk LIMIT 1",
};

const findAnyOfShards: Statement<unknown> = {
  name: "audit.find-any-of-shards",
  text: "SELECT 1 FROM channel_audit_entries LIMIT 1",
};

interface ChainEnd {
  readonly number: number;
  readonly hash: Buffer;
}

const createChain: Statement<unknown> = {
  name: "audit.create-chain",
  text: `INSERT INTO audit_chains (last_number, last_hash, expired_number, expired_hash)
    SELECT 0, $1::bytea, 0, $1::bytea WHERE NOT EXISTS (SELECT FROM audit_chains) ON CONFLICT DO NOTHING`,
};

const defineLock = (name: string, wait: string): Statement<ChainEnd> => ({
  name,
  text: `SELECT last_number AS number, last_hash AS hash FROM audit_chains FOR UPDATE ${wait}`,
});
const lockChain = defineLock("audit.lock-chain", "");
const tryLockChain = defineLock("audit.try-lock-chain", "SKIP LOCKED");

const queued = `pk, at, entry, channel_id AS "channelId", message_created_at AS "messageCreatedAt",
  message_pk AS "messagePk"`;

const takeEntries: Statement<Queued> = {
  name: "audit.take",
  text: `DELETE FROM queued_audit_entries WHERE pk IN (SELECT pk FROM queued_audit_entries ORDER BY pk LIMIT $1) RETURNING ${queued}`,
};

const findTimes: Statement<Pick<Queued, "at">> = {
  name: "audit.find-times-in-shards",
  text: "SELECT at FROM channel_audit_entries ORDER BY at LIMIT $1",
};

const takeUntil: Statement<Queued> = {
  name: "audit.take-from-shards",
  text: `DELETE FROM channel_audit_entries WHERE at <= $1 RETURNING ${queued}`,
};

export const entryColumns = selectList(entryFields);

const columnsOfFields = entryFields.map((field) => [field, columnOf(field)] as const);
const columns = [...columnsOfFields.map(([, column]) => column), "hash"].join(", ");

const append: Statement<unknown> = {
  name: "audit.append",
  text: `INSERT INTO audit_entries (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::audit_entries, $1::json)`,
};

const setEnd: Statement<unknown> = {
  name: "audit.set-end",
  text: "UPDATE audit_chains SET last_number = $1, last_hash = $2",
};

// Removes in the order of the chain, up to the first entry that has not expired: the chain has no gaps.
const removeExpired: Statement<unknown> = {
  name: "audit.remove-expired",
  text: `WITH oldest AS MATERIALIZED (
      SELECT number, at < ${databaseNow} - $1::bigint AS is_expired FROM audit_entries ORDER BY number LIMIT $2
    ), removed AS (
      DELETE FROM audit_entries WHERE number IN (
        SELECT number FROM oldest WHERE is_expired
          AND number < COALESCE((SELECT min(number) FROM oldest WHERE NOT is_expired), ${Number.MAX_SAFE_INTEGER}))
      RETURNING number, hash
    ), moved AS (
      UPDATE audit_chains SET expired_number = last.number, expired_hash = last.hash
      FROM (SELECT number, hash FROM removed ORDER BY number DESC LIMIT 1) AS last
    )
    SELECT number FROM removed`,
};
