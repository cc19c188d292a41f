import { limits } from "@madang/contract";
import { isPairOf } from "../../chat/channels/pair";
import { emit } from "../../chat/emit";
import { rejectUnknownUser, type UserRow, userColumnsOf } from "../../chat/users/store";
import type { Db, Statement, Tx } from "../../db/db";
import type { Row } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { Position } from "../../paging/position";
import { writeLocked } from "../../write/write-locked";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";

interface Block {
  readonly userId: string;
  readonly blockedUserId: string;
}

/** A block with the user who is blocked. The field names do not collide with those of the user. */
export interface BlockRow extends UserRow, Pick<Row<"Block">, "blockedPk"> {
  readonly blockedAt: number;
}

/**
 * Blocks a user. Changes nothing if this is so already. When it returns, every send, append, reaction and edit in the channels of the two
 * has either taken effect or is rejected.
 */
export async function addBlock(db: Db, writer: Writer, block: Block, now: number): Promise<void> {
  const values = valuesOf(block);
  await writeOrExplain(
    () => writeLocked(writer, [lock, values], [add, [...values, now, limits.blocksPerUser]]),
    async () => {
      const found = await requireUsers(writer.db, block);
      if (found.isBlocked || found.count < limits.blocksPerUser) return undefined;
      const max = limits.blocksPerUser.toLocaleString("en-US");
      throw new ServiceError(
        "block_limit_exceeded",
        `The user ${block.userId} has already blocked ${max} users, the maximum. End a block first.`,
      );
    },
  );
  await raiseRevisions(db, block);
}

export async function removeBlock(writer: Writer, block: Block): Promise<void> {
  const values = valuesOf(block);
  await writeOrExplain(
    () => writeLocked(writer, [lock, values], [remove, values]),
    async () => {
      await requireUsers(writer.db, block);
      return undefined;
    },
  );
}

/** The users whom a user has blocked, newest first, after the position. */
export function listBlocks(
  db: Db,
  userPk: number,
  { before, count }: { before: Position; count: number },
): Promise<BlockRow[]> {
  return db.query(list, [userPk, before.createdAt, before.pk, count]);
}

/** Removes the blocks of deleted users, in both directions. */
export async function removeBlocksOfUsers(tx: Tx, users: readonly number[]): Promise<void> {
  await tx.query(removeOfUsers, [users]);
}

const valuesOf = ({ userId, blockedUserId }: Block) => [userId, blockedUserId] as const;

/**
 * Makes the sends that began before the block run again, or waits for them. This is a transaction of its own, after that of the block:
 * who joins a channel of the two meanwhile, or sends to it, sees the block. A repeated request does it again: the earlier one may have
 * been interrupted in between. No request asks for it by itself, so it does not pass through the writer.
 */
async function raiseRevisions(db: Db, block: Block): Promise<void> {
  for (const schema of db.schemas())
    await schema.transaction(async (tx) => {
      const pairs = await tx.query(lockPairs, valuesOf(block));
      if (pairs.length > 0) await tx.query(raise, [pairs.map(({ pk }) => pk)]);
    });
}

async function requireUsers(db: Db, block: Block): Promise<Found> {
  const [found] = await db.query(find, valuesOf(block));
  if (!found?.isUser) return rejectUnknownUser(block.userId);
  if (!found.isOther) return rejectUnknownUser(block.blockedUserId);
  return found;
}

const live = (user: string, id: string) => `${user}.user_id = ${id} AND ${user}.deleted_at IS NULL`;

/** How many users a user has blocked, without those that the sweeper has still to remove. */
const countOf = (userPk: string) => `(SELECT count(*) FROM blocks b JOIN users d ON d.pk = b.blocked_pk
      WHERE b.user_pk = ${userPk} AND d.deleted_at IS NULL)`;

/** Both exist until the block is stored. The one who blocks has one block changed at a time, so that the limit holds. */
const lock: Statement<unknown> = {
  name: "blocks.lock",
  text: `WITH blocked AS (SELECT pk FROM users b WHERE ${live("b", "$2")} FOR KEY SHARE)
    SELECT u.pk FROM users u, blocked WHERE ${live("u", "$1")} FOR NO KEY UPDATE OF u`,
};

const pair = `pair AS (
      SELECT u.pk AS user_pk, other.pk AS blocked_pk FROM users u, users other
      WHERE ${live("u", "$1")} AND ${live("other", "$2")}
    )`;

const about = { userPk: "user_pk", userId: "$1", detail: "jsonb_build_object('blocked_pk', blocked_pk)" };

// One row unless there are too many. The event has the internal key of the user who is blocked: it names nobody after an erasure.
const add: Statement<unknown> = {
  name: "blocks.add",
  text: `WITH ${pair}, known AS (
      SELECT FROM blocks b JOIN pair ON b.user_pk = pair.user_pk AND b.blocked_pk = pair.blocked_pk
    ), added AS (
      INSERT INTO blocks (user_pk, blocked_pk, created_at) SELECT user_pk, blocked_pk, $3::bigint FROM pair
      WHERE NOT EXISTS (SELECT FROM known) AND ${countOf("pair.user_pk")} < $4
      RETURNING user_pk, blocked_pk
    ), emitted AS (${emit("block.added", about, "added")})
    SELECT true AS "isBlocked" FROM added UNION ALL SELECT true FROM known`,
};

const remove: Statement<unknown> = {
  name: "blocks.remove",
  text: `WITH ${pair}, removed AS (
      DELETE FROM blocks b USING pair WHERE b.user_pk = pair.user_pk AND b.blocked_pk = pair.blocked_pk
      RETURNING b.user_pk, b.blocked_pk
    ), emitted AS (${emit("block.removed", about, "removed")})
    SELECT true AS "isFree" FROM pair`,
};

interface Found {
  readonly isUser: boolean;
  readonly isOther: boolean;
  readonly isBlocked: boolean;
  readonly count: number;
}

const find: Statement<Found> = {
  name: "blocks.find",
  text: `SELECT u.pk IS NOT NULL AS "isUser", other.pk IS NOT NULL AS "isOther",
      EXISTS (SELECT FROM blocks b WHERE b.user_pk = u.pk AND b.blocked_pk = other.pk) AS "isBlocked", ${countOf("u.pk")} AS count
    FROM (SELECT) AS one
    LEFT JOIN users u ON ${live("u", "$1")}
    LEFT JOIN users other ON ${live("other", "$2")}`,
};

const list: Statement<BlockRow> = {
  name: "blocks.list",
  text: `SELECT b.blocked_pk AS "blockedPk", b.created_at AS "blockedAt", ${userColumnsOf("u.")}
    FROM blocks b JOIN users u ON u.pk = b.blocked_pk AND u.deleted_at IS NULL
    WHERE b.user_pk = $1 AND (b.created_at, b.blocked_pk) < ($2::bigint, $3::bigint)
    ORDER BY b.created_at DESC, b.blocked_pk DESC LIMIT $4`,
};

const removeOfUsers: Statement<unknown> = {
  name: "blocks.remove-of-users",
  text: "DELETE FROM blocks WHERE user_pk = ANY ($1::bigint[]) OR blocked_pk = ANY ($1::bigint[]) RETURNING 1",
};

/** The channels in which only these two were ever participants, in the order in which sends lock channels. FOR UPDATE waits for reactions. */
const lockPairs: Statement<Row<"Channel", "pk">> = {
  name: "blocks.lock-pairs",
  text: `WITH ${pair}
    SELECT c.pk FROM channels c WHERE c.deleted_at IS NULL AND c.pk IN (
      SELECT c.pk FROM pair JOIN channels c ON deleted_at IS NULL AND ${isPairOf("pair.user_pk", "pair.blocked_pk")}
      UNION ALL SELECT c.pk FROM pair JOIN channels c ON deleted_at IS NULL AND ${isPairOf("pair.blocked_pk", "pair.user_pk")})
    ORDER BY c.pk FOR UPDATE OF c`,
};

const raise: Statement<unknown> = {
  name: "blocks.raise-revisions",
  text: "UPDATE channels SET moderation_revision = moderation_revision + 1 WHERE pk = ANY ($1::bigint[]) RETURNING 1",
};
