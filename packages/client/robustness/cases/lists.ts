import type { ChatClient, Message, User } from "../../src/index";
import { type Case, collect, equal, failure, requests, type Tools, wait } from "../case";

const searches: readonly (readonly [string, (chat: ChatClient) => AsyncIterable<Message | User>])[] = [
  ["messages.search", (chat) => chat.messages.search("room_1", { q: "noon" })],
  ["messages.searchAll", (chat) => chat.messages.searchAll({ q: "noon" })],
  ["users.searchMessages", (chat) => chat.users.searchMessages("kim_01", { q: "noon" })],
  ["users.messages", (chat) => chat.users.messages("kim_01")],
  ["users.list", (chat) => chat.users.list({ q: "kim" })],
];

/** Lists, with and without faults. */
export const lists: readonly Case[] = [
  {
    name: "a repeated cursor: a typed error after the second, and the items of both pages",
    async run(tools) {
      const { items, error } = await collect(tools.client("same-cursor").users.list());
      equal(items.length, 2, "items");
      await failure(Promise.reject(error), { kind: "pagination", resumeCursor: "again" });
      await requests(tools, 2);
    },
  },
  {
    name: "cursors in a loop: a typed error at the first that repeats",
    async run(tools) {
      const { error } = await collect(tools.client("cursor-loop").users.list());
      await failure(Promise.reject(error), { kind: "pagination" });
      await requests(tools, 3);
    },
  },
  {
    name: "an empty page with a cursor: continues",
    async run(tools) {
      const { items, error } = await collect(tools.client("empty-page").users.list());
      equal([items.length, error], [2, undefined], "items and error");
    },
  },
  {
    name: "endless empty pages: a typed error",
    async run(tools) {
      const { error } = await collect(tools.client("empty-pages").users.channels("kim_01"));
      await failure(Promise.reject(error), { kind: "pagination" });
      await requests(tools, 51);
    },
  },
  ...searches.map(([operation, search]) => ({
    name: `many empty pages of ${operation}: continues until the end`,
    async run(tools: Tools) {
      const { items, error } = await collect(search(tools.client("empty-search")));
      equal([items.length, error], [1, undefined], "items and error");
      await requests(tools, 61);
    },
  })),
  {
    name: "a response that is not a list: a typed error",
    run: async (tools) => {
      await failure(tools.client("no-page").users.list().firstPage(), {
        kind: "parse",
        status: 200,
        requestId: "req_1",
      });
    },
  },
  {
    name: "later pages send only the cursor",
    async run(tools) {
      const { items } = await collect(tools.client("pages").users.list({ name: "Kim", pageSize: 5 }));
      equal(items.length, 10, "items");
      const paths = (await requests(tools, 5)).map(({ path }) => path);
      equal(paths.slice(0, 2), ["/v1/users?limit=5&name=Kim", "/v1/users?next=1"], "paths");
    },
  },
  {
    name: "an error contains the cursor to continue with, and no item is lost or repeated",
    async run(tools) {
      const chat = tools.client("pages-broken", { maxRetries: 1 });
      const before = await collect(chat.users.list());
      const { resumeCursor } = await failure(Promise.reject(before.error), { resumeCursor: "2" });
      await wait(10);
      const again = tools.client("pages");
      const after = await collect(again.users.list({ cursor: resumeCursor }));
      const ids = [...before.items, ...after.items].map(({ user_id }) => user_id);
      equal([ids.length, new Set(ids).size], [10, 10], "ids and different ids");
    },
  },
  {
    name: "leaving a loop aborts the prefetch",
    async run(tools) {
      let responses = 0;
      const chat = tools.client("slow-pages", { onResponse: () => responses++ });
      for await (const _ of chat.users.list({ prefetch: 1 })) {
        await wait(50);
        break;
      }
      await wait(250);
      await requests(tools, 2);
      equal(responses, 1, "responses that were read");
    },
  },
  ...[
    ["references-35", 3],
    ["references-30", 3],
    ["references-inclusive", 3],
  ].map(([script, pages]) => ({
    name: `a user list by reference user (${script}): every user once, and it ends`,
    async run(tools: Tools) {
      const { items, error } = await collect(tools.client(String(script)).users.list());
      const expected = script === "references-30" ? 30 : 35;
      equal(error, undefined, "error");
      equal(new Set(items.map(({ user_id }) => user_id)).size, expected, "different users");
      equal(items.length, expected, "users");
      await requests(tools, Number(pages));
    },
  })),
  {
    name: "a cursor by reference user continues in another process, with its filters",
    async run(tools) {
      const first = await tools.client("references-35").users.list({ pageSize: 10, name: "Kim" }).firstPage();
      const other = tools.client("references-35");
      const { items } = await collect(other.users.list({ cursor: first.nextCursor }));
      equal(items.length, 25, "users");
      const [, second] = await tools.received();
      equal(second?.path, "/v1/users?limit=10&name=Kim&base_user_id=user_109", "second request");
    },
  },
];
