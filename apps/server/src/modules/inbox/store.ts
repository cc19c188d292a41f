import { limits } from "@madang/contract";
import { type ChannelRow, channelColumns, memberCountOf } from "../../chat/channels/store";
import { isHidden, type PreferencesRow, preferencesOf } from "../../chat/members/preferences";
import type { MembershipRow, ReadMark } from "../../chat/members/store";
import { countUnread, readPosition } from "../../chat/members/unread";
import { type MessageRow, messageSize, selectMessages } from "../../chat/messages/store";
import { hasBlocked, mutedUntil } from "../../chat/restrictions/conditions";
import { rejectUnknownUser, userColumnsOf } from "../../chat/users/store";
import { type Db, mergePages, readSchemas, type Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import { readPage } from "../../paging/page-bytes";
import type { Position } from "../../paging/position";
import { everyLine, firstLines, userWithBlocks } from "./lines";

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

/** Newest first. */
const byActivity = (one: UserChannelRow, other: UserChannelRow) =>
  other.activeAt - one.activeAt || other.channelPk - one.channelPk;

/** The first participants of the channel of a row. Users are read one by one until there are enough who are not deleted. */
const firstMembers = (active: string) => `(SELECT json_agg(entry) FROM (
    SELECT e.joined_at AS "joinedAt", ${mutedUntil} AS "mutedUntil", ${userColumnsOf("u.")}
    FROM channels c CROSS JOIN LATERAL (
      SELECT * FROM members WHERE channel_pk = c.pk ORDER BY joined_at, position OFFSET 0) AS e
    CROSS JOIN LATERAL (SELECT * FROM users WHERE pk = e.user_pk AND deleted_at IS NULL OFFSET 0) AS u
    WHERE c.pk = ${active}.channel_pk ORDER BY e.joined_at, e.position LIMIT ${limits.inboxMembers}) AS entry)`;

/** Whether the user of a row of `members` has blocked the sender of a row of `mentions`. Who has blocked nobody reads no message. */
const isMentionBlocked = (member: string): string => `(
    own.has_blocks AND EXISTS (
      SELECT FROM messages sent WHERE sent.channel_pk = mention.channel_pk AND sent.created_at = mention.message_created_at
        AND sent.pk = mention.message_pk AND ${hasBlocked(`${member}.user_pk`, "sent.sender_pk")} OFFSET 0))`;

/** The number of unread messages that mention the user of a row of `members`, up to the limit. */
const countMentions = (member: string): string => `(SELECT count(*) FROM (
    SELECT FROM mentions mention
    WHERE mention.user_pk = ${member}.user_pk AND mention.channel_pk = ${member}.channel_pk AND NOT is_own
      AND (mention.message_created_at, mention.message_pk) > ${readPosition(member)}
      AND NOT ${isMentionBlocked(member)}
    ORDER BY mention.message_created_at, mention.message_pk LIMIT ${limits.unreadCount}) AS unread)`;

// What is shown of a channel is read for those of the page alone, which ends early if their last messages are large.
const defineList = (
  name: string,
  lines: string,
  firstBy = "active_at DESC, channel_pk DESC",
): Statement<Joined<UserChannelRow, "channelPk", { readonly userPk: number }>> => ({
  name,
  text: `SELECT u.pk AS "userPk", entry.* FROM ${userWithBlocks} LEFT JOIN LATERAL (
      SELECT active.channel_pk AS "channelPk", active_at AS "activeAt", joined_at AS "joinedAt", channel.*,
        ${countUnread("active", "own.has_blocks")} AS "unreadCount", ${countMentions("active")} AS "mentionCount",
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
        ${lines}) AS filled`,
        firstBy,
        "size",
      )} AS active
      CROSS JOIN LATERAL (SELECT ${channelColumns}, ${memberCountOf("c")} AS "memberCount"
        FROM channels c WHERE pk = active.channel_pk OFFSET 0) AS channel
      ORDER BY "activeAt" DESC, "channelPk" DESC) AS entry ON true
    WHERE u.user_id = $1 AND u.deleted_at IS NULL ORDER BY "activeAt" DESC, "channelPk" DESC`,
});

const isInInbox = `NOT m.is_archived AND NOT ${isHidden("m")}`;

const lists: Readonly<Record<InboxFilter, ReturnType<typeof defineList>>> = {
  inbox: defineList("inbox.list", firstLines({ isListed: isInInbox, isArchived: false })),
  unread: defineList(
    "inbox.list-unread",
    firstLines({ isListed: isInInbox, isOnlyUnread: true, isArchived: false }),
  ),
  hidden: defineList("inbox.list-hidden", everyLine({ isListed: isHidden("m") })),
  archived: defineList("inbox.list-archived", firstLines({ isListed: "m.is_archived", isArchived: true })),
  pinned: defineList("inbox.list-pinned", everyLine({ isListed: "m.pinned_at IS NOT NULL" })),
};
const listNamed = defineList(
  "inbox.list-named",
  everyLine({ isListed: "c.channel_id = ANY ($6::text[])" }),
  "array_position($6::text[], named)",
);
