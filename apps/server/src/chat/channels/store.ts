import { mergePages, type Queryable, type Reader, readSchemas, type Statement } from "../../db/db";
import { type Field, nameList, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { ActingUser } from "../../http/auth/caller";
import {
  endOfPrefix,
  type NamedPosition,
  namesAscending,
  type Position,
  positionsDescending,
} from "../../paging/position";
import { writeLocked } from "../../write/write-locked";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";
import type { NameSource, WithKey } from "../names/names";
import { defineWalk, mergeWalks } from "../names/names-store";
import { defineResource } from "../resources/store";
import { rejectUnknownUser } from "../users/store";
import { lockChannelFully } from "./lock-store";
import { existsFor } from "./visibility";

export const channelFields = [
  "channelId",
  "name",
  "profileUrl",
  "meta",
  "isFrozen",
  "totalMessageCount",
  "totalFileCount",
  "retentionDays",
  "isHeld",
  "createdAt",
  "updatedAt",
] as const satisfies readonly Field<"Channel">[];
export type ChannelRow = Row<"Channel", (typeof channelFields)[number]>;
export const channelColumns = selectList(channelFields);

/**
 * The number of participants of a channel, a row. Until the sweeper removes them, memberships of deleted users are in its
 * column: while there is such a user at all, the others are counted.
 */
export const memberCountOf = (
  channel: string,
) => `CASE WHEN EXISTS (SELECT FROM users WHERE needs_sweep) THEN (
    SELECT count(*) FROM members counted JOIN users live ON live.pk = counted.user_pk AND live.deleted_at IS NULL
    WHERE counted.channel_pk = ${channel}.pk) ELSE ${channel}.member_count END`;

/** For the events of a row with the key and the columns of a channel. */
const aboutChannel = { channelPk: "pk", channelId: '"channelId"' };

/** The channel, if it exists for the user. */
export async function requireChannel(
  db: Queryable,
  channelId: string,
  acting?: ActingUser,
): Promise<ChannelRow> {
  const [channel] = await db.channel(channelId).query(find, [channelId, acting?.userPk ?? null]);
  return channel ?? rejectUnknownChannel(channelId);
}

/** The key of a channel, which no other channel gets, if it exists for the user. */
export async function requireChannelPk(db: Reader, channelId: string, acting?: ActingUser): Promise<number> {
  const [channel] = await db.channel(channelId).query(findPk, [channelId, acting?.userPk ?? null]);
  return channel?.pk ?? rejectUnknownChannel(channelId);
}

/** Channels older than the position, newest first. */
export async function listChannels(
  db: Reader,
  before: Position,
  count: number,
): Promise<(ChannelRow & Position)[]> {
  const pages = await readSchemas(db, list, [before.createdAt, before.pk, count]);
  return mergePages(pages, positionsDescending, count);
}

/** Channels whose name begins with the prefix, by name, then oldest first. */
export async function listChannelsByPrefix(
  db: Reader,
  { prefix, after, count }: { prefix: string; after: NamedPosition | undefined; count: number },
): Promise<(ChannelRow & NamedPosition)[]> {
  const { name, createdAt, pk } = after ?? { name: prefix, createdAt: 0, pk: 0 };
  const pages = await readSchemas(db, listByPrefix, [name, createdAt, pk, endOfPrefix(prefix), count]);
  return mergePages(pages, namesAscending, count);
}

/** For a search of channels by name. */
export const channelNames = (db: Queryable): NameSource<ChannelRow> => ({
  walk: async ({ name, createdAt, pk }, count, part) =>
    mergeWalks(await readSchemas(db, walkNames, [name, createdAt, pk, count, part])),
  findByKeys: async (pks) => (await readSchemas(db, findByKeys, [pks])).flat(),
  findByIds: (ids) => findChannels(db, ids),
  idOf: ({ channelId }) => channelId,
});

/** The existing channels among these ids, in no order. */
export async function findChannels(db: Queryable, channelIds: readonly string[]): Promise<ChannelRow[]> {
  const bySchema = Map.groupBy(channelIds, (channelId) => db.channel(channelId));
  const found = await Promise.all([...bySchema].map(([schema, ids]) => schema.query(findMany, [ids])));
  return found.flat();
}

export async function freezeChannel(
  writer: Writer,
  channelId: string,
  isFrozen: boolean,
  now: number,
): Promise<ChannelRow> {
  const [updated] = await writeLocked(
    writer.channel(channelId),
    [lockChannelFully, [channelId]],
    [freeze, [channelId, isFrozen, now]],
  );
  return updated ?? rejectUnknownChannel(channelId);
}

export function rejectUnknownChannel(channelId: string): never {
  throw new ServiceError("channel_not_found", `There is no channel ${channelId}.`);
}

const find: Statement<ChannelRow> = {
  name: "channels.find",
  text: `SELECT ${channelColumns} FROM channels c
    WHERE channel_id = $1 AND deleted_at IS NULL AND ${existsFor("c.pk", "$2")}`,
};

const findPk: Statement<{ pk: number }> = {
  name: "channels.find-pk",
  text: `SELECT pk FROM channels c WHERE channel_id = $1 AND deleted_at IS NULL AND ${existsFor("c.pk", "$2")}`,
};

const findMany: Statement<ChannelRow> = {
  name: "channels.find-many",
  text: `SELECT ${channelColumns} FROM channels WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL`,
};

// Not limited to rows that are not deleted: for those, PostgreSQL would read a whole index that has the key in its last column.
const findByKeys: Statement<WithKey<ChannelRow>> = {
  name: "channels.find-by-keys",
  text: `SELECT pk, deleted_at IS NOT NULL AS "isDeleted", ${channelColumns} FROM channels WHERE pk = ANY ($1::bigint[])`,
};

const walkNames = defineWalk("channels.walk-names", "channels");

// `COLLATE "C"` compares code points, as the index does.
const listByPrefix: Statement<ChannelRow & NamedPosition> = {
  name: "channels.list-by-prefix",
  text: `SELECT pk, ${channelColumns} FROM channels
    WHERE deleted_at IS NULL AND (name COLLATE "C", created_at, pk) > ($1, $2::bigint, $3::bigint)
      AND name COLLATE "C" < $4
    ORDER BY name COLLATE "C", created_at, pk LIMIT $5`,
};

const list: Statement<ChannelRow & Position> = {
  name: "channels.list",
  text: `SELECT pk, ${channelColumns} FROM channels
    WHERE deleted_at IS NULL AND (created_at, pk) < ($1::bigint, $2::bigint)
    ORDER BY created_at DESC, pk DESC LIMIT $3`,
};

const freeze: Statement<ChannelRow> = {
  name: "channels.freeze",
  text: `WITH before AS (
      SELECT pk AS old_pk, is_frozen AS was_frozen, updated_at AS old_updated_at FROM channels
      WHERE channel_id = $1 AND deleted_at IS NULL
    ), updated AS (
      UPDATE channels SET is_frozen = $2, moderation_revision = moderation_revision + 1,
        updated_at = CASE WHEN was_frozen = $2 THEN old_updated_at ELSE GREATEST($3, old_updated_at + 1) END
      FROM before WHERE pk = old_pk RETURNING pk, was_frozen, ${channelColumns}
    ), emitted AS (${emit("channel.updated", aboutChannel, "updated WHERE was_frozen <> $2")})
    SELECT ${nameList("updated", channelFields)} FROM updated`,
};

export const channelResource = defineResource<ChannelRow>({
  noun: "channel",
  fields: channelFields,
  columns: channelColumns,
  about: aboutChannel,
  rejectUnknown: rejectUnknownChannel,
  requirePk: requireChannelPk,
});

interface Existence {
  readonly isChannel: boolean;
  readonly isUser: boolean;
}

/**
 * A statement that reads the channel $1 and the user $2. `facts` are columns over `c` and `u`, and further values. The channel can
 * have a condition.
 */
export const defineLookup = <Facts>(
  name: string,
  facts: string,
  condition = "true",
): Statement<Existence & Facts> => ({
  name,
  text: `SELECT c.pk IS NOT NULL AS "isChannel", u.pk IS NOT NULL AS "isUser", ${facts}
    FROM (SELECT) AS one
    LEFT JOIN channels c ON c.channel_id = $1 AND c.deleted_at IS NULL AND ${condition}
    LEFT JOIN users u ON u.user_id = $2 AND u.deleted_at IS NULL`,
});

/** Runs the statement. Rejects the request if the channel or the user does not exist. */
export async function requireChannelAndUser<Facts>(
  db: Reader,
  statement: Statement<Existence & Facts>,
  channelId: string,
  userId: string,
  ...values: readonly unknown[]
): Promise<Facts> {
  const [found] = await db.channel(channelId).query(statement, [channelId, userId, ...values]);
  if (!found?.isChannel) rejectUnknownChannel(channelId);
  if (!found.isUser) rejectUnknownUser(userId);
  return found;
}
