import { type Received, resetAfterHead, type Script, sendJson } from "./wire";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 2 };
const found = {
  message_id: "1",
  channel_id: "room_1",
  user,
  type: "text",
  content: "Noon?",
  meta: {},
  created_at: 1,
  updated_at: 1,
};
const users = (...ids: string[]) => ids.map((user_id) => ({ ...user, user_id }));
const query = ({ path }: Received) => new URL(path, "http://x").searchParams;

/** Five pages of two users each. */
const pages: Script = (socket, request) => {
  const page = Number(query(request).get("next") ?? 0);
  const next = page < 4 ? { next: String(page + 1) } : {};
  sendJson(socket, { users: users(`user_${page}a`, `user_${page}b`), ...next });
};

/** A list of users as bare arrays by reference user, with or without the reference user itself. */
const references =
  (count: number, isInclusive: boolean): Script =>
  (socket, request) => {
    const ids = Array.from({ length: count }, (_, index) => `user_${100 + index}`);
    const base = query(request).get("base_user_id");
    const limit = Number(query(request).get("limit") ?? 15);
    const start = base === null ? 0 : ids.indexOf(base) + (isInclusive ? 0 : 1);
    sendJson(socket, users(...ids.slice(start, start + limit)));
  };

/** Lists, complete and broken. */
export const listScripts: Readonly<Record<string, Script>> = {
  pages,
  "pages-broken": (socket, request, index) => {
    const page = query(request).get("next");
    if (page === "2" && index < 5) return resetAfterHead(socket);
    pages(socket, request, index);
  },
  "slow-pages": (socket, request, index) => {
    setTimeout(() => pages(socket, request, index), index === 0 ? 0 : 150);
  },
  "same-cursor": (socket) => sendJson(socket, { users: users("kim_01"), next: "again" }),
  "cursor-loop": (socket, request) =>
    sendJson(socket, { users: users("kim_01"), next: query(request).get("next") === "a" ? "b" : "a" }),
  "empty-page": (socket, _, index) =>
    sendJson(
      socket,
      [{ users: users("kim_01"), next: "a" }, { users: [], next: "b" }, { users: users("lee_02") }][index],
    ),
  "empty-pages": (socket, _, index) => sendJson(socket, { channels: [], next: `cursor_${index}` }),
  "empty-search": (socket, _, index) =>
    sendJson(
      socket,
      index < 60
        ? { messages: [], users: [], next: `cursor_${index}` }
        : { messages: [found], users: users("kim_01") },
    ),
  "no-page": (socket) => sendJson(socket, { people: [] }),
  "references-35": references(35, false),
  "references-30": references(30, false),
  "references-inclusive": references(35, true),
};
