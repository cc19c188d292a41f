import { limits } from "@madang/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { startServer, startServerOn } from "../support/server";
import { createUsers, numbered } from "../support/users";

const server = await startServer();
const chat = chatWith(server);
afterAll(() => server.close());

describe.each(["cursor", "reference"] as const)("paging through the user list by %s", (userList) => {
  test("returns every user that exists throughout exactly once, newest first, during creates and deletes", async () => {
    const reader = await startServerOn(server.databaseUrl, { settings: { MADANG_USER_LIST: userList } });
    const staying = numbered(`stay_${userList}`, 40);
    const leaving = numbered(`leave_${userList}`, 20);
    await createUsers(chat, staying.slice(0, 20));
    await createUsers(chat, leaving);
    await createUsers(chat, staying.slice(20));

    const seen: string[] = [];
    let pages = 0;
    for await (const page of chatWith(reader).users.list({ pageSize: 7 }).pages()) {
      seen.push(...page.items.map((user) => user.user_id));
      // Between two pages, one user is created and two are deleted, except the base user of the next page.
      await createUsers(chat, [`new_${userList}_${pages}`]);
      for (const id of leaving.splice(0, 2)) if (id !== seen.at(-1)) await chat.users.delete(id);
      pages += 1;
    }

    expect(pages).toBeGreaterThan(5);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => id.startsWith(`stay_${userList}`))).toEqual(staying.toReversed());
    await reader.close();
  });
});

test("a cursor works in another process, with the filter and page size of the first page", async () => {
  const ids = numbered("same_name", 12);
  for (const id of ids) await chat.users.create({ user_id: id, name: "다람쥐" });
  const first = await chat.users.list({ name: "다람쥐", pageSize: 5 }).firstPage();
  const other = await startServerOn(server.databaseUrl);
  const rest = await chatWith(other)
    .users.list({ cursor: first.nextCursor ?? "" })
    .toArray({ max: 100 });
  expect([...first.items, ...rest].map((user) => user.user_id)).toEqual(ids.toReversed());
  await other.close();
});

test("the cursor of a list ends with the channel or user whose list it is, also when the id is used again", async () => {
  const channels = numbered("owned", 6);
  const [channel = ""] = channels;
  const create = async () => {
    await createUsers(chat, ["owner_1"]);
    for (const id of channels)
      await chat.channels.create({ channel_id: id, name: "Owned", members: ["owner_1"] });
  };
  await create();
  await createUsers(chat, numbered("banned", 2));
  for (const id of numbered("banned", 2)) await chat.channels.bans.add(channel, id);
  for (const content of ["Hello", "Hello again"])
    await chat.messages.send(channel, { user_id: "owner_1", type: "text", content });
  const lists = {
    messages: `/v1/group/channels/${channel}/messages?limit=1`,
    "messages.search": `/v1/group/channels/${channel}/messages/search?q=hello&limit=1`,
    bans: `/v1/group/channels/${channel}/bans?limit=1`,
    "users.channels": "/v1/users/owner_1/channels?limit=5",
    "users.messages": "/v1/users/owner_1/messages?limit=1",
    "users.searchMessages": "/v1/users/owner_1/messages/search?q=hello&limit=1",
  };
  const cursors = new Map<string, string>();
  for (const [name, path] of Object.entries(lists))
    cursors.set(name, (await call(server.url, "GET", path)).body.next);
  const continueAll = () =>
    Promise.all(
      Object.entries(lists).map(async ([name, path]) => {
        const further = `${path.split("?")[0]}?next=${cursors.get(name)}`;
        const { status, body } = await call(server.url, "GET", further);
        return [name, status, body.code];
      }),
    );
  expect(await continueAll()).toEqual(Object.keys(lists).map((name) => [name, 200, undefined]));
  for (const id of channels) await chat.channels.delete(id);
  await chat.users.delete("owner_1");
  await create();
  expect(await continueAll()).toEqual(Object.keys(lists).map((name) => [name, 400, "invalid_cursor"]));
});

test("an export returns 10,000 messages of one millisecond exactly once, newest first", async () => {
  const fixedClock = await startServerOn(server.databaseUrl, { now: () => 1_700_000_000_000 });
  const sender = chatWith(fixedClock);
  await createUsers(sender, ["writer_1"]);
  await sender.channels.create({ channel_id: "one_moment", name: "One", members: ["writer_1"] });
  await sender.messages.send("one_moment", { user_id: "writer_1", type: "text", content: "first" });
  await server.db.channel("one_moment").query({
    name: "test.copy-messages",
    text: `INSERT INTO messages (channel_pk, created_at, updated_at, sender_pk, type, content)
      SELECT channel_pk, created_at, updated_at, sender_pk, type, n::text FROM messages, generate_series(2, 10000) n
      WHERE content = 'first' RETURNING 1`,
  });
  const ids: number[] = [];
  for await (const message of chat.exports.messages("one_moment", { pageSize: 1_000 })) {
    ids.push(Number(message.message_id));
    if (ids.length % 1_500 === 0)
      await chat.messages.send("one_moment", { user_id: "writer_1", type: "text", content: "late" });
  }
  expect(ids).toHaveLength(10_000);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  await fixedClock.close();
});

describe("pages of large messages end early, and continue", () => {
  const count = 120;
  // Of the longest ones, a page would have four.
  const large = "😀".repeat(limits.content.maxLength / 8);
  const ids: string[] = [];
  beforeAll(async () => {
    await createUsers(chat, ["large_1"]);
    await chat.channels.create({ channel_id: "large_1", name: "Large", members: ["large_1"] });
    const send = (reply_to?: string) =>
      chat.messages.send("large_1", {
        user_id: "large_1",
        type: "text",
        content: large,
        ...(reply_to !== undefined && { reply_to }),
      });
    const first = await send();
    ids.push(first.message_id);
    while (ids.length < count) ids.push((await send(first.message_id)).message_id);
  });

  const newestFirst = () => ids.toReversed();
  const named = () => ids.filter((_, index) => index % 2 === 0).slice(0, 50);
  const largePages = {
    export: () => chat.exports.messages("large_1", { pageSize: 1_000 }).pages(),
    messages: () => chat.messages.list("large_1", { pageSize: 100 }).pages(),
    replies: () => chat.messages.replies("large_1", ids[0] ?? "", { pageSize: 100 }).pages(),
    search: () => chat.messages.search("large_1", { q: "😀", pageSize: 100 }).pages(),
    "messages by id": () => chat.messages.list("large_1", { message_ids: named() }).pages(),
    "messages of a user": () => chat.users.messages("large_1", { pageSize: 100 }).pages(),
  };
  const searches = ["search", "messages of a user"];
  const expected: Partial<Record<string, () => string[]>> = {
    replies: () => ids.slice(1),
    "messages by id": named,
  };

  test.each(Object.entries(largePages))("%s", async (name, list) => {
    const pages: { items: readonly { message_id: string }[]; nextCursor?: string | undefined }[] = [];
    for await (const page of list()) pages.push(page);
    const seen = pages.flatMap(({ items }) => items.map(({ message_id }) => message_id));
    expect(seen).toEqual((expected[name] ?? newestFirst)());
    for (const { items, nextCursor } of pages) {
      const { length } = Buffer.from(JSON.stringify(items));
      expect(length).toBeLessThan(1.1 * 2 ** 20);
      // A search may also end a page because of its time.
      if (nextCursor !== undefined && !searches.includes(name)) expect(length).toBeGreaterThan(2 ** 20);
    }
  });

  test("messages around one, and newer ones", async () => {
    const middle = count / 2;
    const around = await chat.messages
      .list("large_1", { around: ids[middle] ?? "", pageSize: 100 })
      .firstPage();
    const shown = around.items.map(({ message_id }) => message_id).toReversed();
    expect(shown).toContain(ids[middle]);
    for (let { newer } = around; ; ) {
      const page = await chat.messages.list("large_1", { cursor: newer }).firstPage();
      if (page.items.length === 0) break;
      newer = page.newer;
      shown.push(...page.items.map(({ message_id }) => message_id).toReversed());
    }
    expect(shown).toEqual(ids.slice(ids.indexOf(shown[0] ?? "")));
    expect(shown.length).toBeGreaterThan(middle);
  });

  test("everything about a person", async () => {
    const seen: string[] = [];
    for await (const page of chat.privacy.export("large_1", { pageSize: 1_000 }).pages()) {
      expect(JSON.stringify(page).length).toBeLessThan(1.1 * 2 ** 20);
      seen.push(...page.items.map(({ message_id }) => message_id));
    }
    expect(seen).toEqual(ids);
  });

  test("events", async () => {
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const { events, next } = await chat.events.list({
        pageSize: 500,
        types: ["message.created"],
        channel_id: "large_1",
        ...(after !== undefined && { after }),
      });
      expect(Buffer.from(JSON.stringify(events)).length).toBeLessThan(1.2 * 2 ** 20);
      if (events.length === 0) break;
      seen.push(...events.flatMap(({ data }) => ("message_id" in data ? [data.message_id] : [])));
      after = next;
    }
    expect(seen).toEqual(ids);
  });
});
