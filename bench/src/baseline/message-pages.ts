import { openPageQuery, signNextPage } from "../../../apps/server/src/paging/page-query";
import { newest, type Position } from "../../../apps/server/src/paging/position";
import type { Route, Tools } from "./route";
import { userColumns, userOf } from "./users";

/** Uses only the position of a cursor, which is all that the benchmark needs. */
export const exportMessages: Route = async (tools, { parts, query }) => {
  const channelId = parts[3] ?? "";
  const scope = `exports.messages ${channelId}`;
  const next = query.get("next");
  const received = next === null ? { timezone: "UTC", limit: Number(query.get("limit")) } : { next };
  const pageQuery = openPageQuery<{ timezone?: string }>(tools.cursors, scope, received, {
    min: 100,
    max: 1_000,
    default: 100,
  });
  const { limit, after = newest } = pageQuery;
  const { owner, last, hasMore, messages } = await readPage(tools, "page", channelId, after, limit);
  const owned = { ...pageQuery, owner };
  const nextPage = hasMore ? `,"next":"${signNextPage(tools.cursors, scope, owned, last)}"` : "";
  return { status: 200, text: `{"messages":[${messages}],"timezone":"UTC"${nextPage}}` };
};

/** Only `before` and the newest page, which the benchmark reads. */
export const listMessages: Route = async (tools, { parts, query }) => {
  const channelId = parts[2] ?? "";
  const scope = `messages.list ${channelId}`;
  const before = query.get("before");
  const received = { limit: Number(query.get("limit")), ...(before !== null && { before }) };
  const pageQuery = openPageQuery<Filters>(tools.cursors, scope, received, { min: 1, max: 100, default: 30 });
  const { limit } = pageQuery;
  const [createdAt = newest.createdAt, pk = newest.pk] = before?.split("-").map(Number) ?? [];
  const page = await readPage(tools, "screen", channelId, { createdAt, pk }, limit);
  const { owner, first, last, hasMore, messages } = page;
  const seal = (direction: string, after: Position) => {
    const filters = { ...pageQuery.filters, direction };
    return signNextPage(tools.cursors, scope, { ...pageQuery, filters, owner }, after);
  };
  const next = hasMore ? `,"next":"${seal("older", { ...last, pk: last.pk - 1 })}"` : "";
  return { status: 200, text: `{"messages":[${messages}]${next},"newer":"${seal("newer", first)}"}` };
};

type Filters = Partial<Record<"before" | "direction", string>>;

/** Reads each sender once per page, and concatenates strings. `name` is that of the prepared statement. */
async function readPage({ pool }: Tools, name: string, channelId: string, after: Position, limit: number) {
  const find = "SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL";
  const found = await pool.query({ name: "find-channel", text: find, values: [channelId] });
  const { pk } = found.rows[0];
  const values = [pk, after.createdAt, after.pk, limit + 1];
  const { rows } = await pool.query({ name, text: page, values });
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
  const positionOf = ({ created_at, pk }: { created_at: number; pk: number }): Position => ({
    createdAt: created_at,
    pk,
  });
  return {
    owner: pk,
    first: positionOf(visible[0]),
    last: positionOf(visible.at(-1)),
    hasMore: rows.length > limit,
    messages: messages.join(","),
  };
}

const page = `SELECT pk, created_at, updated_at, sender_pk, content, file, meta FROM messages
  WHERE channel_pk = $1 AND (created_at, pk) < ($2::bigint, $3::bigint) ORDER BY created_at DESC, pk DESC LIMIT $4`;
