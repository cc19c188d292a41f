import type { Db, Statement } from "../../db/db";
import { type Field, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { ActingUser } from "../../security/acting-user";
import type { Writer } from "../../write/writer";
import type { NamedSource } from "../names/named-list";
import { defineNamedLists } from "../names/names-store";
import { defineResource } from "../resources/store";
import { rejectUnknownUser } from "../users/store";
import { lockChannelsFully } from "./lock-store";
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
  "slowModeSeconds",
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

/** The channel, if it exists for the user. */
export async function requireChannel(db: Db, channelId: string, acting?: ActingUser): Promise<ChannelRow> {
  const [channel] = await db.query(find, [channelId, acting?.userPk ?? null]);
  return channel ?? rejectUnknownChannel(channelId);
}

/** The key of a channel, which no other channel gets, if it exists for the user. */
export async function requireChannelPk(db: Db, channelId: string, acting?: ActingUser): Promise<number> {
  const [channel] = await db.query(findPk, [channelId, acting?.userPk ?? null]);
  return channel?.pk ?? rejectUnknownChannel(channelId);
}

/** The lists and searches of channels. */
export const channelLists = (db: Db): NamedSource<ChannelRow> => ({
  ...namedLists(db),
  findByIds: (ids) => findChannels(db, ids),
  idOf: ({ channelId }) => channelId,
});

/** The existing channels among these ids, in no order. */
export async function findChannels(db: Db, channelIds: readonly string[]): Promise<ChannelRow[]> {
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
  const [updated] = await writer.write(freeze, { id: channelId, now, frozen: isFrozen });
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

const namedLists = defineNamedLists<ChannelRow>("channels", channelColumns, (db) => db.schemas());

export const channelResource = defineResource<ChannelRow>({
  noun: "channel",
  fields: channelFields,
  columns: channelColumns,
  about: { channelPk: "pk", channelId: '"channelId"' },
  rejectUnknown: rejectUnknownChannel,
  requireRow: requireChannel,
});

const freeze = channelResource.defineChange({
  name: "channels.freeze",
  columns: { frozen: "boolean" },
  lock: lockChannelsFully,
  isChanged: "is_frozen <> frozen",
  assignments: "is_frozen = frozen, moderation_revision = moderation_revision + 1",
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
  db: Db,
  statement: Statement<Existence & Facts>,
  channelId: string,
  userId: string,
  ...values: readonly unknown[]
): Promise<Facts> {
  const [found] = await db.query(statement, [channelId, userId, ...values]);
  if (!found?.isChannel) rejectUnknownChannel(channelId);
  if (!found.isUser) rejectUnknownUser(userId);
  return found;
}
