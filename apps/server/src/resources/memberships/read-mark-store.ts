import type { Queryable, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import type { Position } from "../../paging/position";
import { defineCommand, isFirst } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { defineLookup, hasEntry, requireChannelAndUser } from "../channels/store";
import { emit } from "../events/emit";
import { countUnread, readPosition } from "../inbox/store";
import { mutedUntil } from "../moderation/conditions";
import { memberNotFound } from "../moderation/errors";
import { userColumns } from "../users/store";
import type { MembershipRow } from "./store";

export interface ReadState {
  readonly unreadCount: number;
  /** The newest message that is marked as read. */
  readonly mark: Position | undefined;
}

export interface ReadMark {
  readonly channelId: string;
  readonly userId: string;
  /** The message up to which the user has read. Absent: the newest message. */
  readonly position: Position | undefined;
}

export async function requireMember(
  db: Queryable,
  channelId: string,
  userId: string,
): Promise<MembershipRow & ReadState> {
  const { member } = await requireChannelAndUser(db, find, channelId, userId);
  if (member === null) throw memberNotFound(userId, channelId);
  return { ...member, ...toReadState(member) };
}

/** Moves the read mark of a participant. It never moves back. */
export async function markRead(
  writer: Writer,
  { channelId, userId, position }: ReadMark,
): Promise<ReadState> {
  const values = [channelId, userId, position?.createdAt ?? null, position?.pk ?? null];
  const marked = await writeOrExplain(
    () => writer.channel(channelId).write(mark, values),
    async () => {
      const { isMember } = await requireChannelAndUser(writer.reader, explain, channelId, userId);
      if (isMember) return undefined;
      throw new ServiceError(
        "not_a_participant",
        `The user ${userId} is not a participant of the channel ${channelId}.`,
      );
    },
  );
  return toReadState(marked);
}

/**
 * Moves read marks in one statement. A mark that was not moved, because its user is not a participant or another request
 * has just moved it further, is undefined in the result. The participants in the batch must be distinct.
 */
export async function markManyRead(
  db: Queryable,
  marks: readonly ReadMark[],
): Promise<(ReadState | undefined)[]> {
  const rows = await db.query(markMany, [
    marks.map(({ channelId }) => channelId),
    marks.map(({ userId }) => userId),
    marks.map(({ position }) => position?.createdAt),
    marks.map(({ position }) => position?.pk),
  ]);
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return marks.map((_, index) => {
    const row = byOrdinal.get(index + 1);
    return row && toReadState(row);
  });
}

function toReadState(row: Marked): ReadState {
  return { unreadCount: row.unreadCount, mark: findMark(row) };
}

/** The read mark of a row. Undefined if there is none. */
export const findMark = ({ readAt, readPk }: Pick<Marked, "readAt" | "readPk">): Position | undefined =>
  readAt === null || readPk === null ? undefined : { createdAt: readAt, pk: readPk };

interface Marked {
  readonly unreadCount: number;
  readonly readAt: number | null;
  readonly readPk: number | null;
}

const find = defineLookup<{ member: (MembershipRow & Marked) | null }>(
  "members.find",
  `(SELECT to_json(entry) FROM (
      SELECT joined_at AS "joinedAt", read_created_at AS "readAt", read_pk AS "readPk",
        ${countUnread("m")} AS "unreadCount", ${mutedUntil} AS "mutedUntil", person.*
      FROM {members} m CROSS JOIN LATERAL (SELECT ${userColumns} FROM (SELECT u.*) AS one) AS person
      WHERE m.channel_pk = c.pk AND m.user_pk = u.pk) AS entry) AS member`,
);

const explain = defineLookup<{ isMember: boolean }>(
  "members.explain-read",
  `${hasEntry("members")} AS "isMember"`,
);

const aboutMark = {
  channelPk: "channel_pk",
  userPk: "user_pk",
  messageCreatedAt: "read_created_at",
  messagePk: "read_pk",
};

/** The newest message at or before the mark of a row. A later mark would include messages that do not exist yet. */
const newestMarked = (row: string, at: string, pk: string) => `
  SELECT newest.created_at AS target_at, newest.pk AS target_pk FROM {messages} newest
  WHERE newest.channel_pk = ${row}.channel_pk
    AND (newest.created_at, newest.pk) <= (COALESCE(${at}, ${Number.MAX_SAFE_INTEGER}), COALESCE(${pk}, 0))
  ORDER BY newest.created_at DESC, newest.pk DESC LIMIT 1`;

// No row if another request has moved the mark beyond the target since the snapshot: it then runs again.
const mark = defineCommand<Marked>(
  "members.mark-read",
  4,
  `member AS (
      SELECT m.* FROM {channels} c, {users} u, {members} m
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL
        AND m.channel_pk = c.pk AND m.user_pk = u.pk AND ${isFirst}
    ), target AS (
      SELECT newest.* FROM member CROSS JOIN LATERAL (${newestMarked("member", "$3::bigint", "$4::bigint")}) newest
      WHERE (target_at, target_pk) > ${readPosition("member")}
    ), moved AS (
      UPDATE {members} m SET read_created_at = target_at, read_pk = target_pk FROM member, target
      WHERE m.channel_pk = member.channel_pk AND m.user_pk = member.user_pk
        AND (target_at, target_pk) > ${readPosition("m")}
      RETURNING m.*
    ), emitted AS (${emit("member.read", { ...aboutMark, channelId: "$1", userId: "$2" }, "moved")}), current AS (
      SELECT * FROM moved UNION ALL SELECT * FROM member WHERE NOT EXISTS (SELECT FROM target)
    ), effect AS (
      SELECT read_created_at AS "readAt", read_pk AS "readPk", ${countUnread("current")} AS "unreadCount"
      FROM current
    )`,
);

// The rows are updated in the order of their keys, so that two batches do not wait for each other.
const markMany: Statement<Marked & { ordinal: number }> = {
  name: "members.mark-many-read",
  text: `WITH asked AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
        AS asked (channel_id, user_id, until_at, until_pk, ordinal)
    ), member AS (
      SELECT asked.*, m.channel_pk, m.user_pk, m.joined_at, m.position, m.read_created_at, m.read_pk
      FROM asked JOIN {channels} c ON c.channel_id = asked.channel_id AND c.deleted_at IS NULL
        JOIN {users} u ON u.user_id = asked.user_id AND u.deleted_at IS NULL
        JOIN {members} m ON m.channel_pk = c.pk AND m.user_pk = u.pk
    ), target AS (
      SELECT member.*, newest.* FROM member
      CROSS JOIN LATERAL (${newestMarked("member", "member.until_at", "member.until_pk")}) newest
      WHERE (target_at, target_pk) > ${readPosition("member")}
      ORDER BY channel_pk, user_pk
    ), moved AS (
      UPDATE {members} m SET read_created_at = target_at, read_pk = target_pk FROM target
      WHERE m.channel_pk = target.channel_pk AND m.user_pk = target.user_pk
        AND (target_at, target_pk) > ${readPosition("m")}
      RETURNING m.*, target.ordinal, target.channel_id, target.user_id
    ), emitted AS (${emit("member.read", { ...aboutMark, channelId: "channel_id", userId: "user_id" }, "moved")}), current AS (
      SELECT ordinal, channel_pk, user_pk, joined_at, position, read_created_at, read_pk FROM moved
      UNION ALL
      SELECT ordinal, channel_pk, user_pk, joined_at, position, read_created_at, read_pk FROM member
      WHERE ordinal NOT IN (SELECT ordinal FROM target)
    )
    SELECT ordinal, read_created_at AS "readAt", read_pk AS "readPk", ${countUnread("current")} AS "unreadCount"
    FROM current`,
};
