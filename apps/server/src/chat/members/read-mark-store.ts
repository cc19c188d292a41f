import { type Db, readSchemas, type Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { defineCommand } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { defineLookup, rejectUnknownChannel, requireChannelAndUser } from "../channels/store";
import { existsFor, hasRole } from "../channels/visibility";
import { emit } from "../emit";
import { formatMessageId, rejectUnknownMessage } from "../message-id";
import { mutedUntil } from "../restrictions/conditions";
import { memberNotFound, notAParticipant } from "../restrictions/errors";
import { rejectUnknownUser, userColumnsOf } from "../users/store";
import type { MembershipRow, ReadMark } from "./store";
import { countUnread, readPosition } from "./unread";

interface ReadState extends ReadMark {
  readonly unreadCount: number;
}

interface NewMark {
  readonly channelId: string;
  readonly userId: string;
  /** The message up to which the user has read. Absent: the newest message. */
  readonly position: Position | undefined;
}

/** A participant of a channel that exists for the user as whom the request acts, who does not learn which other users exist. */
export async function requireMember(
  db: Db,
  channelId: string,
  userId: string,
  acting: ActingUser | undefined,
): Promise<MembershipRow & ReadState> {
  const values = [channelId, userId, acting?.userPk ?? null];
  const [found] = await db.query(find, values);
  if (!found?.isChannel) rejectUnknownChannel(channelId);
  if (!found.isUser && acting === undefined) rejectUnknownUser(userId);
  if (found.member === null) throw memberNotFound(userId, channelId);
  return found.member;
}

/** Moves the read mark of a participant. It never moves back. */
export async function markRead(writer: Writer, mark: NewMark): Promise<ReadState> {
  const { channelId, userId, position } = mark;
  return writeOrExplain(
    () => writer.write(moveMark, toColumns(mark)),
    async () => {
      const { isMember, isManager, isMarkable } = await requireChannelAndUser(
        writer.db,
        explain,
        channelId,
        userId,
        position?.createdAt ?? null,
        position?.pk ?? null,
      );
      if (isMember && !isMarkable && position !== undefined)
        rejectUnknownMessage(channelId, formatMessageId(position));
      if (isMember) return undefined;
      if (writer.request.acting !== undefined && !isManager) rejectUnknownChannel(channelId);
      throw notAParticipant(userId, channelId);
    },
  );
}

/**
 * Rejects a position that is that of a message in another schema of Citus, where the statement of a mark does not look. Most are those of
 * messages of the channel, which is in one.
 */
export async function rejectMessageOfAnotherSchema(
  db: Db,
  channelId: string,
  position: Position,
): Promise<void> {
  if (!db.isDistributed) return;
  const values = [position.createdAt, position.pk];
  if ((await db.channel(channelId).query(findAt, values)).length > 0) return;
  const found = await readSchemas(db, findAt, values);
  if (found.flat().length > 0) rejectUnknownMessage(channelId, formatMessageId(position));
}

const findAt: Statement<unknown> = {
  name: "messages.find-at",
  text: "SELECT 1 FROM messages WHERE created_at = $1 AND pk = $2",
};

const toColumns = ({ channelId, userId, position }: NewMark) => ({
  channel_id: channelId,
  user_id: userId,
  until_at: position?.createdAt,
  until_pk: position?.pk,
});

const find = defineLookup<{ member: (MembershipRow & ReadState) | null }>(
  "members.find",
  `(SELECT to_json(entry) FROM (
      SELECT joined_at AS "joinedAt", read_created_at AS "readAt", read_pk AS "readPk",
        ${countUnread("m")} AS "unreadCount", ${mutedUntil} AS "mutedUntil", ${userColumnsOf("u.")}
      FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = u.pk) AS entry) AS member`,
  existsFor("c.pk", "$3"),
);

/**
 * Whether the channel `c` may have had a message at the position, in SQL: a deleted one still denotes its position. Not the message of
 * another channel, nor one later than everything that the channel ever had.
 */
const isMarkable = (at: string, pk: string) => `(${at} IS NULL OR ${at} <= c.latest_at AND NOT EXISTS (
      SELECT FROM messages other WHERE other.created_at = ${at} AND other.pk = ${pk} AND other.channel_pk <> c.pk))`;

const explain = defineLookup<{ isMember: boolean; isManager: boolean; isMarkable: boolean }>(
  "members.explain-read",
  `${hasRole("members", "c.pk", "u.pk")} AS "isMember", ${hasRole("managers", "c.pk", "u.pk")} AS "isManager",
    ${isMarkable("$3::bigint", "$4::bigint")} AS "isMarkable"`,
);

const aboutMark = {
  channelPk: "channel_pk",
  channelId: "channel_id",
  userPk: "user_pk",
  userId: "user_id",
  messageCreatedAt: "read_created_at",
  messagePk: "read_pk",
};

/** The newest message at or before the asked mark of a member. A later mark would include messages that do not exist yet. */
const newestMarked = `
  SELECT newest.created_at AS target_at, newest.pk AS target_pk FROM messages newest
  WHERE newest.channel_pk = member.channel_pk
    AND (newest.created_at, newest.pk) <= (COALESCE(until_at, ${Number.MAX_SAFE_INTEGER}), COALESCE(until_pk, 0))
  ORDER BY newest.created_at DESC, newest.pk DESC LIMIT 1`;

const columns = { channel_id: "text", user_id: "text", until_at: "bigint", until_pk: "bigint" };
// No row if another request has moved the mark beyond the target since the snapshot: it then runs again. The rows are updated in
// the order of their keys, so that two batches do not wait for each other.
export const moveMark = defineCommand<ReadState, keyof typeof columns>(
  "members.mark-read",
  columns,
  `member AS (
      SELECT sent.*, m.channel_pk, m.user_pk, m.joined_at, m.position, m.read_created_at, m.read_pk
      FROM sent JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
        JOIN users u ON u.user_id = sent.user_id AND u.deleted_at IS NULL
        JOIN members m ON m.channel_pk = c.pk AND m.user_pk = u.pk
      WHERE ${isMarkable("sent.until_at", "sent.until_pk")}
    ), target AS (
      SELECT member.*, newest.* FROM member
      CROSS JOIN LATERAL (${newestMarked}) newest
      WHERE (target_at, target_pk) > ${readPosition("member")}
      ORDER BY channel_pk, user_pk
    ), moved AS (
      UPDATE members m SET read_created_at = target_at, read_pk = target_pk FROM target
      WHERE m.channel_pk = target.channel_pk AND m.user_pk = target.user_pk
        AND (target_at, target_pk) > ${readPosition("m")}
      RETURNING m.*, target.ordinal, target.channel_id, target.user_id
    ), emitted AS (${emit("member.read", aboutMark, "moved")}), current AS (
      SELECT ordinal, channel_pk, user_pk, joined_at, position, read_created_at, read_pk FROM moved
      UNION ALL
      SELECT ordinal, channel_pk, user_pk, joined_at, position, read_created_at, read_pk FROM member
      WHERE ordinal NOT IN (SELECT ordinal FROM target)
    ), effect AS (
      SELECT ordinal, read_created_at AS "readAt", read_pk AS "readPk", ${countUnread("current")} AS "unreadCount"
      FROM current
    )`,
  { sharing: { group: ["channel_id", "user_id"] } },
);
