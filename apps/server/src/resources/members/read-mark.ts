import { ServiceError } from "../../errors";
import { defineHotWrite } from "../../idempotency/hot-write";
import type { Writer } from "../../idempotency/writer";
import type { Position } from "../../paging/position";
import { defineLookup, hasEntry, requireChannelAndUser } from "../channels/lookup";
import { emit } from "../events/emit";
import { countUnread, readPosition } from "../inbox/unread";
import { writeOrExplain } from "../write-or-explain";

export interface ReadState {
  readonly unreadCount: number;
  /** The newest message that is marked as read. */
  readonly mark: Position | undefined;
}

/** Moves the read mark of a participant to a position, or to the newest message. It never moves back. */
export async function markRead(
  writer: Writer,
  channelId: string,
  userId: string,
  position: Position | undefined,
): Promise<ReadState> {
  const values = [channelId, userId, position?.createdAt ?? null, position?.pk ?? null];
  const { unreadCount, readAt, readPk } = await writeOrExplain(
    async () => (await writer.channel(channelId).write(mark, values))[0],
    async () => {
      const { isMember } = await requireChannelAndUser(writer, explain, channelId, userId);
      if (isMember) return undefined;
      throw new ServiceError(
        "not_a_participant",
        `The user ${userId} is not a participant of the channel ${channelId}.`,
      );
    },
  );
  return {
    unreadCount,
    mark: readAt === null || readPk === null ? undefined : { createdAt: readAt, pk: readPk },
  };
}

interface Marked {
  readonly unreadCount: number;
  readonly readAt: number | null;
  readonly readPk: number | null;
}

const explain = defineLookup<{ isMember: boolean }>(
  "members.explain-read",
  `${hasEntry("members")} AS "isMember"`,
);

const aboutMark = {
  channelPk: "channel_pk",
  channelId: "$1",
  userPk: "user_pk",
  userId: "$2",
  messageCreatedAt: "read_created_at",
  messagePk: "read_pk",
};

// The membership is locked, so that concurrent changes of the mark are seen. The mark never exceeds the newest message:
// it would mark messages that do not exist yet.
const mark = defineHotWrite<Marked>("members.mark-read", (guard) => ({
  ctes: `member AS (
      SELECT m.* FROM channels c, users u, members m
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL
        AND m.channel_pk = c.pk AND m.user_pk = u.pk AND ${guard} FOR NO KEY UPDATE OF m
    ), target AS (
      SELECT newest.* FROM member CROSS JOIN LATERAL (
        SELECT created_at, pk FROM messages WHERE messages.channel_pk = member.channel_pk
          AND (created_at, pk) <= (COALESCE($3::bigint, ${Number.MAX_SAFE_INTEGER}), COALESCE($4::bigint, 0))
        ORDER BY created_at DESC, pk DESC LIMIT 1) AS newest
    ), moved AS (
      UPDATE members m SET read_created_at = target.created_at, read_pk = target.pk FROM member, target
      WHERE m.channel_pk = member.channel_pk AND m.user_pk = member.user_pk
        AND (target.created_at, target.pk) > ${readPosition("member")}
      RETURNING m.*
    ), emitted AS (${emit("member.read", aboutMark, "moved")}), current AS (
      SELECT * FROM moved UNION ALL SELECT * FROM member WHERE NOT EXISTS (SELECT FROM moved)
    )`,
  result: `SELECT read_created_at AS "readAt", read_pk AS "readPk", ${countUnread("current")} AS "unreadCount"
    FROM current`,
}));
