import { limits } from "@madang/contract";
import { type ChannelRow, channelColumns, memberCountOf } from "../../chat/channels/store";
import { isHidden, isQuiet, type PreferencesRow, preferencesOf } from "../../chat/members/preferences";
import type { MembershipRow, ReadMark } from "../../chat/members/store";
import { countUnread, readAt, readPosition, selectUnread } from "../../chat/members/unread";
import { type MessageRow, messageSize, selectMessages } from "../../chat/messages/store";
import { hasBlocked, mutedUntil } from "../../chat/restrictions/conditions";
import { rejectUnknownUser, userColumnsOf } from "../../chat/users/store";
import { type Db, mergePages, readSchemas, type Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import { readPage } from "../../paging/page-bytes";
import type { Position } from "../../paging/position";

/** A channel in the inbox of a participant. */
export interface UserChannelRow extends ChannelRow, ReadMark, PreferencesRow {
  readonly channelPk: number;
  readonly activeAt: number;
  readonly joinedAt: number;
  readonly unreadCount: number;
  readonly mentionCount: number;
  readonly lastMessage: MessageRow | null;
  readonly memberCount: number;
  /** The first participants, if they were asked for. */
  readonly members: readonly MembershipRow[] | null;
}

/** `inbox`: what is neither hidden nor archived. */
export type InboxFilter = "inbox" | "unread" | "hidden" | "archived" | "pinned";

export interface InboxQuery {
  /** Only these channels. Undefined: all. */
  readonly channelIds?: readonly string[];
  readonly filter: InboxFilter;
  /** Whether to read the first participants of each channel. */
  readonly hasMembers: boolean;
  readonly before: Position;
  readonly count: number;
}

/** The channels of a user, or those of a filter, by last activity, newest first, after the position. */
export async function listUserChannels(
  db: Db,
  userId: string,
  { channelIds, filter, hasMembers, before, count }: InboxQuery,
) {
  const values = [userId, before.createdAt, before.pk, count, hasMembers];
  const pages = await (channelIds === undefined
    ? readSchemas(db, lists[filter], values)
    : readSchemas(db, listNamed, [...values, channelIds]));
  const [first] = pages.flat();
  if (first === undefined) return rejectUnknownUser(userId);
  const found = pages.map((rows) => itemsOf(rows, "channelPk"));
  return { userPk: first.userPk, channels: mergePages(found, byActivity, count) };
}

export async function countUserUnread(db: Db, userId: string): Promise<Unread> {
  const unread = (await readSchemas(db, countUnreadOf, [userId])).flat();
  if (unread.length === 0) return rejectUnknownUser(userId);
  return {
    unreadCount: unread.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    channelCount: unread.reduce((sum, { channelCount }) => sum + channelCount, 0),
    quietUnreadCount: unread.reduce((sum, { quietUnreadCount }) => sum + quietUnreadCount, 0),
  };
}

/** Newest first. */
const byActivity = (one: UserChannelRow, other: UserChannelRow) =>
  other.activeAt - one.activeAt || other.channelPk - one.channelPk;

interface Unread {
  readonly unreadCount: number;
  readonly channelCount: number;
  readonly quietUnreadCount: number;
}

/** Whether the channel `c` may have a message after the mark of a row of `members`. */
const mayHaveUnread = (member: string) => `c.latest_at >= ${readAt(member)}`;

/** The first participants of the channel of a row. Users are read one by one until there are enough who are not deleted. */
const firstMembers = (active: string) => `(SELECT json_agg(entry) FROM (
    SELECT e.joined_at AS "joinedAt", ${mutedUntil} AS "mutedUntil", ${userColumnsOf("u.")}
    FROM channels c CROSS JOIN LATERAL (
      SELECT * FROM members WHERE channel_pk = c.pk ORDER BY joined_at, position OFFSET 0) AS e
    CROSS JOIN LATERAL (SELECT * FROM users WHERE pk = e.user_pk AND deleted_at IS NULL OFFSET 0) AS u
    WHERE c.pk = ${active}.channel_pk ORDER BY e.joined_at, e.position LIMIT ${limits.inboxMembers}) AS entry)`;

/** Whether the user of a row of `members` has blocked the sender of a row of `mentions`. Who has blocked nobody reads no message. */
const isMentionBlocked = (member: string): string => `(
    EXISTS (SELECT FROM blocks b WHERE b.user_pk = ${member}.user_pk OFFSET 0) AND EXISTS (
      SELECT FROM messages sent WHERE sent.channel_pk = mention.channel_pk AND sent.created_at = mention.message_created_at
        AND sent.pk = mention.message_pk AND ${hasBlocked(`${member}.user_pk`, "sent.sender_pk")} OFFSET 0))`;

/** The number of unread messages that mention the user of a row of `members`, up to the limit. */
const countMentions = (member: string): string => `(SELECT count(*) FROM (
    SELECT FROM mentions mention
    WHERE mention.user_pk = ${member}.user_pk AND mention.channel_pk = ${member}.channel_pk AND NOT is_own
      AND (mention.message_created_at, mention.message_pk) > ${readPosition(member)}
      AND NOT ${isMentionBlocked(member)}
    ORDER BY mention.message_created_at, mention.message_pk LIMIT ${limits.unreadCount}) AS unread)`;

// The memberships of the user are sorted first, and only those of the page are joined. If the newest message was
// deleted, the time of the previous one is not on the channel's row, so it is read from the index of messages. For unread
// messages, channels are examined in their order until the page is full. What is shown of a channel is read for those of the page
// alone, which ends early if their last messages are large.
const defineList = (
  name: string,
  isListed: string,
  { isOnlyUnread = false, isNamed = false }: { isOnlyUnread?: boolean; isNamed?: boolean } = {},
): Statement<Joined<UserChannelRow, "channelPk", { readonly userPk: number }>> => ({
  name,
  text: `SELECT u.pk AS "userPk", entry.* FROM users u LEFT JOIN LATERAL (
      SELECT active.channel_pk AS "channelPk", active_at AS "activeAt", joined_at AS "joinedAt", channel.*,
        ${countUnread("active")} AS "unreadCount", ${countMentions("active")} AS "mentionCount",
        active.read_created_at AS "readAt", active.read_pk AS "readPk", ${preferencesOf("active")}, (
          SELECT to_json(message) FROM (${selectMessages(
            `messages WHERE channel_pk = active.channel_pk ORDER BY created_at DESC, pk DESC LIMIT 1`,
          )}) AS message) AS "lastMessage",
        CASE WHEN $5::boolean THEN ${firstMembers("active")} END AS members
      FROM ${readPage(
        `SELECT filled.*, COALESCE((
          SELECT ${messageSize} FROM messages WHERE channel_pk = filled.channel_pk
          ORDER BY created_at DESC, pk DESC LIMIT 1), 0) AS size
        FROM (
        SELECT * FROM (
          SELECT * FROM (
            SELECT m.*, c.channel_id AS named, COALESCE(last_message_at, CASE WHEN total_message_count > 0 THEN (
                SELECT sent.created_at FROM messages sent WHERE sent.channel_pk = m.channel_pk
                ORDER BY sent.created_at DESC, sent.pk DESC LIMIT 1) END, joined_at) AS active_at
            FROM members m JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
            WHERE m.user_pk = u.pk AND ${isOnlyUnread ? mayHaveUnread("m") : "true"}
              AND ${isListed}) AS every
          WHERE (active_at, channel_pk) < ($2::bigint, $3::bigint)
          ORDER BY active_at DESC, channel_pk DESC ${isOnlyUnread ? "OFFSET 0" : "LIMIT $4"}) AS sorted
        WHERE ${isOnlyUnread ? `(${selectUnread("true", "sorted")} LIMIT 1)` : "true"}
        ORDER BY active_at DESC, channel_pk DESC LIMIT $4) AS filled`,
        isNamed ? "array_position($6::text[], named)" : "active_at DESC, channel_pk DESC",
        "size",
      )} AS active
      CROSS JOIN LATERAL (SELECT ${channelColumns}, ${memberCountOf("c")} AS "memberCount"
        FROM channels c WHERE pk = active.channel_pk OFFSET 0) AS channel
      ORDER BY "activeAt" DESC, "channelPk" DESC) AS entry ON true
    WHERE u.user_id = $1 AND u.deleted_at IS NULL ORDER BY "activeAt" DESC, "channelPk" DESC`,
});

const isInInbox = `NOT m.is_archived AND NOT ${isHidden("m")}`;

const lists: Readonly<Record<InboxFilter, ReturnType<typeof defineList>>> = {
  inbox: defineList("inbox.list", isInInbox),
  unread: defineList("inbox.list-unread", isInInbox, { isOnlyUnread: true }),
  hidden: defineList("inbox.list-hidden", isHidden("m")),
  archived: defineList("inbox.list-archived", "m.is_archived"),
  pinned: defineList("inbox.list-pinned", "m.pinned_at IS NOT NULL"),
};
const listNamed = defineList("inbox.list-named", "c.channel_id = ANY ($6::text[])", { isNamed: true });

// Skips channels without a message as new as the mark.
const countUnreadOf: Statement<Unread> = {
  name: "inbox.count-unread",
  text: `SELECT COALESCE(sum(unread) FILTER (WHERE NOT is_quiet), 0)::bigint AS "unreadCount",
      count(*) FILTER (WHERE unread > 0 AND NOT is_quiet) AS "channelCount",
      COALESCE(sum(unread) FILTER (WHERE is_quiet), 0)::bigint AS "quietUnreadCount"
    FROM users u LEFT JOIN LATERAL (
      SELECT ${countUnread("m")} AS unread, ${isQuiet("m")} AS is_quiet FROM members m
      JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
      WHERE m.user_pk = u.pk AND ${mayHaveUnread("m")}) AS each_channel ON true
    WHERE u.user_id = $1 AND u.deleted_at IS NULL GROUP BY u.pk`,
};
