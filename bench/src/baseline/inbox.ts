import { isHidden, isQuiet, preferencesOf } from "../../../apps/server/src/chat/members/preferences";
import { presentUserChannel } from "../../../apps/server/src/modules/inbox/present";
import { openPageQuery, signNextPage } from "../../../apps/server/src/paging/page-query";
import { insertEvent } from "./event";
import { type Route, respond } from "./route";
import { defineChange, runOnce } from "./run-once";

const unreadOf = (member: string, after: string) => `(SELECT count(*)::int FROM (SELECT FROM messages n
  WHERE n.channel_pk = ${member}.channel_pk AND n.sender_pk <> ${member}.user_pk AND (n.created_at, n.pk) > (${after})
  LIMIT 100) AS unread)`;
const mentionsOf = (member: string, after: string) => `(SELECT count(*)::int FROM (SELECT FROM mentions n
  WHERE n.user_pk = ${member}.user_pk AND n.channel_pk = ${member}.channel_pk AND NOT n.is_own
    AND (n.message_created_at, n.message_pk) > (${after}) LIMIT 100) AS unread)`;
const readTo = "COALESCE(m.read_created_at, m.joined_at), COALESCE(m.read_pk, m.position)";

/** The first page. */
export const listInbox: Route = async ({ pool, cursors }, { parts }) => {
  const userId = parts[1] ?? "";
  const scope = `users.channels ${userId}`;
  const pageQuery = openPageQuery(cursors, scope, {}, { min: 5, max: 30, default: 15 });
  const text = `SELECT m.user_pk, c.pk, c.channel_id AS "channelId", c.name, c.profile_url AS "profileUrl", c.meta,
      c.is_frozen AS "isFrozen", c.retention_days AS "retentionDays", c.is_held AS "isHeld", c.member_count AS "memberCount",
      ${preferencesOf("m")}, m.read_created_at AS "readAt", m.read_pk AS "readPk", NULL AS members, ${mentionsOf("m", readTo)} AS "mentionCount",
      c.total_message_count AS "totalMessageCount", c.total_file_count AS "totalFileCount",
      c.created_at AS "createdAt", c.updated_at AS "updatedAt", m.joined_at AS "joinedAt",
      COALESCE(c.last_message_at, m.joined_at) AS at, ${unreadOf("m", readTo)} AS "unreadCount", (
        SELECT to_json(last) FROM (
          SELECT n.pk AS "messagePk", n.created_at AS "sentAt", n.updated_at AS "changedAt", n.content, n.file,
            n.meta AS "messageMeta", n.external_id AS "externalId", NULL AS extras, s.user_id AS "userId", s.name,
            s.profile_url AS "profileUrl", s.meta, s.created_at AS "createdAt", s.updated_at AS "updatedAt"
          FROM messages n JOIN users s ON s.pk = n.sender_pk WHERE n.channel_pk = c.pk
          ORDER BY n.created_at DESC, n.pk DESC LIMIT 1) last) AS "lastMessage"
    FROM users u JOIN members m ON m.user_pk = u.pk JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
    WHERE u.user_id = $1 AND u.deleted_at IS NULL AND NOT m.is_archived AND NOT ${isHidden("m")} ORDER BY at DESC, c.pk DESC LIMIT 16`;
  const { rows } = await pool.query({ name: "inbox", text, values: [userId] });
  const channels = rows.slice(0, 15);
  const last = channels.at(-1);
  const next =
    rows.length > 15
      ? {
          next: signNextPage(
            cursors,
            scope,
            { ...pageQuery, owner: last.user_pk },
            { createdAt: last.at, pk: last.pk },
          ),
        }
      : {};
  return respond(200, {
    channels: channels.map((channel) => presentUserChannel(undefined, channel, () => "")),
    ...next,
  });
};

export const countUnread: Route = async ({ pool }, { parts }) => {
  const text = `SELECT COALESCE(sum(unread) FILTER (WHERE NOT is_quiet), 0)::int AS unread_count,
      (count(*) FILTER (WHERE unread > 0 AND NOT is_quiet))::int AS channel_count,
      COALESCE(sum(unread) FILTER (WHERE is_quiet), 0)::int AS quiet_unread_count
    FROM (SELECT ${unreadOf("m", readTo)} AS unread, ${isQuiet("m")} AS is_quiet FROM users u JOIN members m ON m.user_pk = u.pk
      JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
      WHERE u.user_id = $1 AND u.deleted_at IS NULL) AS each_channel`;
  const { rows } = await pool.query({ name: "unread", text, values: [parts[1]] });
  return respond(200, rows[0]);
};

const aboutMark = {
  channel_pk: "channel_pk",
  channel_id: "$1",
  user_pk: "user_pk",
  user_id: "$2",
  message_created_at: "read_created_at",
  message_pk: "read_pk",
};

/** Marks everything as read. */
export const markRead: Route = async (tools, incoming) => {
  const values = [incoming.parts[2], incoming.parts[4]];
  return (await runOnce(tools, incoming, mark, values, ([state]) => state, 200)) ?? respond(404);
};

const mark = defineChange(
  "mark-read",
  `newest AS (
      SELECT m.channel_pk, m.user_pk, n.created_at, n.pk FROM channels c JOIN members m ON m.channel_pk = c.pk
      JOIN users u ON u.pk = m.user_pk CROSS JOIN LATERAL (SELECT n.created_at, n.pk FROM messages n
        WHERE n.channel_pk = c.pk ORDER BY n.created_at DESC, n.pk DESC LIMIT 1) n
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL
    ), moved AS (
      UPDATE members m SET read_created_at = newest.created_at, read_pk = newest.pk FROM newest
      WHERE m.channel_pk = newest.channel_pk AND m.user_pk = newest.user_pk
        AND (newest.created_at, newest.pk) > (${readTo})
      RETURNING m.channel_pk, m.user_pk, m.read_created_at, m.read_pk
    ), emitted AS (${insertEvent("member.read", aboutMark, "moved")})`,
  `SELECT ${unreadOf("newest", "newest.created_at, newest.pk")} AS unread_count,
    newest.created_at || '-' || newest.pk AS read_message_id FROM newest`,
);
