import { isQuiet } from "../../chat/members/preferences";
import { countUnread } from "../../chat/members/unread";
import { rejectUnknownUser } from "../../chat/users/store";
import { type Db, readSchemas, type Statement } from "../../db/db";
import { userWithBlocks } from "./lines";

interface Unread {
  readonly unreadCount: number;
  readonly channelCount: number;
  readonly quietUnreadCount: number;
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

// Of a channel without unread messages, this reads the membership, and no more than the end of an index. OFFSET makes PostgreSQL count
// before it looks for the channel.
const countUnreadOf: Statement<Unread> = {
  name: "inbox.count-unread",
  text: `SELECT COALESCE(sum(unread) FILTER (WHERE NOT is_quiet), 0)::bigint AS "unreadCount",
      count(*) FILTER (WHERE unread > 0 AND NOT is_quiet) AS "channelCount",
      COALESCE(sum(unread) FILTER (WHERE is_quiet), 0)::bigint AS "quietUnreadCount"
    FROM ${userWithBlocks} LEFT JOIN LATERAL (
      SELECT unread, ${isQuiet("m")} AS is_quiet FROM (
        SELECT m.*, ${countUnread("m", "own.has_blocks")} AS unread FROM members m WHERE m.user_pk = u.pk OFFSET 0) AS m
      WHERE unread > 0 AND EXISTS (
        SELECT FROM channels c WHERE c.pk = m.channel_pk AND c.deleted_at IS NULL OFFSET 0)) AS each_channel ON true
    WHERE u.user_id = $1 AND u.deleted_at IS NULL GROUP BY u.pk`,
};
