import { historyChannel, historyDays, historyStart, inboxUser, userIdAt } from "../servers/dataset";
import { type Context, type Operation, pick } from "./operation";

/** Pages of 100 and 1,000 messages: the newest, from the middle of the history, and near its end. */
const exports: readonly Operation[] = [100, 1_000].flatMap((limit) => [
  exportOperation(limit, "newest", undefined),
  exportOperation(limit, "middle", historyDays / 2),
  exportOperation(limit, "oldest", 2),
]);

/** Screens of 30 messages: the newest, from the middle of the history, and its beginning. */
const screens: readonly Operation[] = [
  screenOperation("newest", undefined),
  screenOperation("middle", historyDays / 2),
  screenOperation("oldest", 2),
];

/** The inbox of a user with 1,000 channels. */
const inbox: readonly Operation[] = [
  {
    id: "users.channels",
    title: "inbox of 1,000 channels, 15 per page",
    isAwaited: true,
    turn: () => [{ method: "GET", path: `/v1/users/${inboxUser}/channels` }],
  },
  {
    id: "users.unread",
    title: "unread messages of 1,000 channels",
    isAwaited: true,
    turn: () => [{ method: "GET", path: `/v1/users/${inboxUser}/unread` }],
  },
];

export const reads: readonly Operation[] = [
  {
    id: "users.get",
    title: "get a user",
    hasMany: true,
    turn: (n, _side, { users }) => [{ method: "GET", path: `/v1/users/${userIdAt(pick(n, users))}` }],
  },
  {
    id: "users.list",
    title: "list 30 users",
    turn: () => [{ method: "GET", path: "/v1/users?limit=30" }],
  },
  ...exports,
  ...screens,
  {
    id: "channels.members.list",
    title: "list 100 members",
    turn: () => [{ method: "GET", path: `/v1/group/channels/${historyChannel}/members` }],
  },
  ...inbox,
];

function exportOperation(limit: number, position: string, day: number | undefined): Operation {
  const path = `/v1/exports/group/channels/${historyChannel}/messages`;
  let query = `limit=${limit}`;
  return {
    id: `exports.${limit}.${position}`,
    title: `export a page of ${limit.toLocaleString("en-US")}, ${position}`,
    async prepare(context) {
      if (day === undefined) return;
      // A short history has few messages per day; the page before the cursor must be full, and the one after it too.
      const minDay = 1 + Math.ceil((historyDays * 2.5 * limit) / context.sizes.messages);
      query = `next=${await cursorAt(context, path, limit, Math.max(day, minDay))}`;
    },
    turn: () => [{ method: "GET", path: `${path}?${query}` }],
  };
}

function screenOperation(position: string, day: number | undefined): Operation {
  let query = "limit=30";
  return {
    id: `messages.list.${position}`,
    title: `screen of 30 messages, ${position}`,
    isAwaited: true,
    async prepare({ get, sizes }) {
      if (day === undefined) return;
      const minDay = 1 + Math.ceil((historyDays * 250) / sizes.messages);
      const end = dayOf(Math.max(day, minDay));
      const path = `/v1/exports/group/channels/${historyChannel}/messages?limit=100&end_date=${end}`;
      // The response of the contract.
      const { messages } = (await get(path)) as { messages: { message_id: string }[] };
      query = `limit=30&before=${messages[0]?.message_id}`;
    },
    turn: () => [{ method: "GET", path: `/v1/group/channels/${historyChannel}/messages?${query}` }],
  };
}

/** The cursor after the page that ends on a day. */
async function cursorAt({ get }: Context, path: string, limit: number, day: number): Promise<string> {
  const end = dayOf(day);
  // The response of the contract.
  const { next } = (await get(`${path}?limit=${limit}&end_date=${end}`)) as { next: string };
  return next;
}

const dayOf = (day: number) => new Date(historyStart + (day - 1) * 86_400_000).toISOString().slice(0, 10);
