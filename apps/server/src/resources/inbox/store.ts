import { limits } from "@madang/contract";
import type { Reader, Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import { type ChannelRow, channelColumns } from "../channels/store";
import { type MessageRow, selectMessages } from "../messages/store";
import { rejectUnknownUser } from "../users/store";

/** A channel in the inbox of a participant. */
export interface UserChannelRow extends ChannelRow {
  readonly channelPk: number;
  readonly activeAt: number;
  readonly joinedAt: number;
  readonly unreadCount: number;
  readonly lastMessage: MessageRow | null;
}

export interface UserChannels {
  readonly userPk: number;
  readonly channels: readonly UserChannelRow[];
}

/** The channels of a user by last activity, newest first, after the position. */
export async function listUserChannels(
  db: Reader,
  userId: string,
  before: Position,
  count: number,
): Promise<UserChannels> {
  const values = [userId, before.createdAt, before.pk, count];
  const rows = (await Promise.all(db.shards().map((shard) => shard.query(list, values)))).flat();
  const [first] = rows;
  if (first === undefined) return rejectUnknownUser(userId);
  const found = rows.filter((row): row is Found => row.channelPk !== null);
  return { userPk: first.userPk, channels: found.sort(byActivity).slice(0, count) };
}

export async function countUserUnread(db: Reader, userId: string): Promise<Unread> {
  const unread = (await Promise.all(db.shards().map((shard) => shard.query(countUnreadOf, [userId])))).flat();
  if (unread.length === 0) return rejectUnknownUser(userId);
  return {
    unreadCount: unread.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    channelCount: unread.reduce((sum, { channelCount }) => sum + channelCount, 0),
  };
}

/** Newest first, also over several shards. */
const byActivity = (one: Found, other: Found) =>
  other.activeAt - one.activeAt || other.channelPk - one.channelPk;

type Found = UserChannelRow & { readonly userPk: number };

/** No row: the user does not exist. One row without a channel: the user has none. */
type Row = Found | { readonly userPk: number; readonly channelPk: null };

interface Unread {
  readonly unreadCount: number;
  readonly channelCount: number;
}

/** The position after which messages are unread for a row of `members`: its read mark, or the time of joining. */
export const readPosition = (member: string): string =>
  `(COALESCE(${member}.read_created_at, ${member}.joined_at), COALESCE(${member}.read_pk, ${member}.position))`;

/** The number of unread messages for a row of `members`, up to the limit. */
export const countUnread = (member: string): string => `(SELECT count(*) FROM (
    SELECT FROM {messages} sent
    WHERE sent.channel_pk = ${member}.channel_pk AND sender_pk <> ${member}.user_pk
      AND (created_at, pk) > ${readPosition(member)}
    ORDER BY created_at, pk LIMIT ${limits.unreadCount}) AS unread)`;

// The memberships of the user are sorted first, and only those of the page are joined. If the newest message was
// deleted, the time of the previous one is not on the channel's row, so it is read from the index of messages.
const list: Statement<Row> = {
  name: "inbox.list",
  text: `SELECT u.pk AS "userPk", entry.* FROM {users} u
    LEFT JOIN LATERAL (
      SELECT active.channel_pk AS "channelPk", active_at AS "activeAt", joined_at AS "joinedAt", channel.*,
        ${countUnread("active")} AS "unreadCount", (
          SELECT to_json(message) FROM (${selectMessages(`{messages} WHERE channel_pk = active.channel_pk
            ORDER BY created_at DESC, pk DESC LIMIT 1`)}) AS message) AS "lastMessage"
      FROM (
        SELECT * FROM (
          SELECT m.*, COALESCE(last_message_at, CASE WHEN total_message_count > 0 THEN (
              SELECT sent.created_at FROM {messages} sent WHERE sent.channel_pk = m.channel_pk
              ORDER BY sent.created_at DESC, sent.pk DESC LIMIT 1) END, joined_at) AS active_at
          FROM {members} m JOIN {channels} c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
          WHERE m.user_pk = u.pk) AS every
        WHERE (active_at, channel_pk) < ($2::bigint, $3::bigint)
        ORDER BY active_at DESC, channel_pk DESC LIMIT $4
      ) AS active
      CROSS JOIN LATERAL (SELECT ${channelColumns} FROM {channels} WHERE pk = active.channel_pk OFFSET 0) AS channel
    ) AS entry ON true
    WHERE u.user_id = $1 AND u.deleted_at IS NULL ORDER BY "activeAt" DESC, "channelPk" DESC`,
};

// Skips channels without a message as new as the mark.
const countUnreadOf: Statement<Unread> = {
  name: "inbox.count-unread",
  text: `SELECT COALESCE(sum(unread), 0)::bigint AS "unreadCount", count(*) FILTER (WHERE unread > 0) AS "channelCount"
    FROM {users} u LEFT JOIN LATERAL (
      SELECT ${countUnread("m")} AS unread FROM {members} m
      JOIN {channels} c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
      WHERE m.user_pk = u.pk AND c.latest_at >= COALESCE(m.read_created_at, m.joined_at)
    ) AS each_channel ON true
    WHERE u.user_id = $1 AND u.deleted_at IS NULL GROUP BY u.pk`,
};
