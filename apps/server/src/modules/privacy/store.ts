import { type HasPk, pksOf } from "../../chat/channels/end-roles-store";
import { emit } from "../../chat/emit";
import { endTokens } from "../../chat/users/delete-store";
import { rejectUnknownUser } from "../../chat/users/store";
import { type Database, type Db, defineLock, readSchemas, type Statement, type Tx } from "../../db/db";
import { type Field, fromPrisma, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { olderThan, type Position } from "../../paging/position";
import type { Writer } from "../../write/writer";

const selection = {
  erasureId: true,
  userId: true,
  messages: true,
  status: true,
  erasedMessages: true,
  erasedMemberships: true,
  erasedChannels: true,
  heldMessages: true,
  createdAt: true,
  completedAt: true,
} as const satisfies { readonly [Name in Field<"Erasure">]?: true };
export type ErasureRow = Row<"Erasure", keyof typeof selection>;
const columns = selectList(Object.keys(selection));

interface NewErasure {
  readonly userId: string;
  readonly messages: "erase" | "keep";
}

/**
 * Begins an erasure of every user that ever had the id, and deletes the existing one. Returns a running erasure instead if it
 * covers this one.
 */
export async function beginErasure(
  writer: Writer,
  { userId, messages }: NewErasure,
  now: number,
): Promise<ErasureRow> {
  const [erasure] = await writer.writeAll(async (tx) => {
    await tx.query(lockId, [userId]);
    const users = await tx.query(findUsers, [userId, Number.MAX_SAFE_INTEGER]);
    const [running] = users.length > 0 ? [] : await tx.query(findRunning, [userId, messages]);
    if (running !== undefined) return [running];
    const [begun] = await tx.query(insert, [userId, messages, now, pksOf(users)]);
    return begun === undefined ? [] : include(tx, { pk: begun.pk, userId }, users, now);
  });
  return erasure ?? rejectUnknownUser(userId);
}

/** An erasure that was made after the backup from which this database was restored. */
export interface KnownErasure extends NewErasure {
  readonly erasureId: string;
  readonly createdAt: number;
}

/** Repeats an erasure of the users that had the id at its time. Returns false if the database already has the erasure. */
export function repeatErasure(db: Db, erasure: KnownErasure): Promise<boolean> {
  const { erasureId, userId, messages, createdAt } = erasure;
  return db.transaction(async (tx) => {
    await tx.query(lockId, [userId]);
    const [stored] = await tx.query(insertKnown, [erasureId, userId, messages, createdAt]);
    if (stored === undefined) return false;
    const users = await tx.query(findUsers, [userId, createdAt]);
    await include(tx, { pk: stored.pk, userId }, users, createdAt);
    return true;
  });
}

/** Deletes the users that exist, and stores which erasure includes each user. Returns the erasure with the number of their roles. */
async function include(
  tx: Tx,
  { pk, userId }: { pk: number; userId: string },
  users: readonly HasPk[],
  now: number,
): Promise<ErasureRow[]> {
  const pks = pksOf(users);
  const locked = await tx.query(lockUsers, [pks]);
  const live = locked.filter(({ isLive }) => isLive).map((user) => user.pk);
  await tx.query(markDeleted, [pks, now, live, userId]);
  await tx.query(addUsers, [pks, userId, pk]);
  // The sweeper ends the roles, and nobody gives the users new ones.
  const channels = (await readSchemas(tx, listRoles, [pks])).flat();
  return tx.query(recordRoles, [pk, pksOf(channels)]);
}

/** Erasures older than the position, newest first. */
export async function listErasures(
  db: Pick<Database, "prisma">,
  { before, count }: { before: Position; count: number },
): Promise<(ErasureRow & Position)[]> {
  const found = await db.prisma.erasure.findMany({
    select: { pk: true, ...selection },
    where: olderThan(before),
    orderBy: [{ createdAt: "desc" }, { pk: "desc" }],
    take: count,
  });
  return found.map(fromPrisma);
}

export async function listAllErasures(db: Pick<Database, "prisma">): Promise<ErasureRow[]> {
  const found = await db.prisma.erasure.findMany({
    select: selection,
    orderBy: [{ createdAt: "asc" }, { pk: "asc" }],
  });
  return found.map(fromPrisma);
}

export async function requireErasure(db: Pick<Database, "prisma">, erasureId: string): Promise<ErasureRow> {
  const found = await db.prisma.erasure.findUnique({ select: selection, where: { erasureId } });
  if (found === null) throw new ServiceError("erasure_not_found", `There is no erasure ${erasureId}.`);
  return fromPrisma(found);
}

// Serializes erasures of one id. There may be no row of the id to lock.
const lockId = defineLock("privacy.lock-id", "'erasure ' || $1");

/** Users with the id that no erasure includes yet. Rows of erased users no longer contain the id. */
const findUsers: Statement<HasPk> = {
  name: "privacy.find-users",
  text: `SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL AND created_at <= $2
    UNION ALL
    SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NOT NULL AND created_at <= $2
      AND NOT EXISTS (SELECT FROM erased_users e WHERE e.user_pk = users.pk)`,
};

const findRunning: Statement<ErasureRow> = {
  name: "privacy.find-running",
  text: `SELECT ${columns} FROM erasures WHERE user_id = $1 AND status = 'running' AND ($2 = 'keep' OR messages = 'erase')
    ORDER BY messages, pk DESC LIMIT 1`,
};

const newId = "'era_' || replace(gen_random_uuid()::text, '-', '')";

const insert: Statement<HasPk> = {
  name: "privacy.begin",
  // $4: the users to erase. Without any, the id must be that of an earlier erasure. Whatever the clock shows, its time is not before
  // those of the users: on a backup, it is repeated for the users that were created until then.
  text: `INSERT INTO erasures (erasure_id, user_id, messages, created_at)
    SELECT ${newId}, $1::text, $2::text,
      COALESCE((SELECT max(created_at) + 1 FROM users WHERE pk = ANY ($4::bigint[]) AND created_at > $3), $3::bigint)
    WHERE cardinality($4) > 0 OR EXISTS (SELECT FROM erased_users WHERE user_id = $1 UNION ALL SELECT FROM erasures WHERE user_id = $1)
    RETURNING pk`,
};

const insertKnown: Statement<HasPk> = {
  name: "privacy.begin-known",
  text: `INSERT INTO erasures (erasure_id, user_id, messages, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (erasure_id) DO NOTHING RETURNING pk`,
};

// FOR UPDATE conflicts with FOR KEY SHARE: it waits for joins and sends of the users, and later ones see the deletion.
const lockUsers: Statement<{ pk: number; isLive: boolean }> = {
  name: "privacy.lock-users",
  text: `SELECT pk, deleted_at IS NULL AS "isLive" FROM users WHERE pk = ANY ($1::bigint[]) ORDER BY pk FOR UPDATE`,
};

const markDeleted: Statement<unknown> = {
  name: "privacy.mark-deleted",
  text: `WITH deleted AS (
      UPDATE users SET deleted_at = COALESCE(deleted_at, $2), needs_sweep = true WHERE pk = ANY ($1::bigint[])
      RETURNING pk
    ), emitted AS (${emit("user.deleted", { userPk: "pk", userId: "$4" }, "deleted WHERE pk = ANY ($3::bigint[])")}), revoked AS (${endTokens("deleted")})
    SELECT pk FROM deleted`,
};

const addUsers: Statement<unknown> = {
  name: "privacy.add-users",
  text: `INSERT INTO erased_users (user_pk, user_id, erasure_pk)
    SELECT pk, $2, $3::bigint FROM unnest($1::bigint[]) AS pk RETURNING 1`,
};

const listRoles: Statement<HasPk> = {
  name: "privacy.list-roles",
  text: (["members", "managers"] as const)
    .map(
      (table) => `SELECT channel_pk AS pk FROM ${table} m
        JOIN channels c ON c.pk = channel_pk AND c.deleted_at IS NULL WHERE user_pk = ANY ($1::bigint[])`,
    )
    .join(" UNION ALL "),
};

const recordRoles: Statement<ErasureRow> = {
  name: "privacy.record-roles",
  text: `WITH added AS (
      INSERT INTO erasure_channels (erasure_pk, channel_pk)
      SELECT DISTINCT $1::bigint, channel_pk FROM unnest($2::bigint[]) AS channel_pk RETURNING 1
    )
    UPDATE erasures SET erased_memberships = cardinality($2::bigint[]), erased_channels = (SELECT count(*) FROM added)
    WHERE pk = $1 RETURNING ${columns}`,
};
