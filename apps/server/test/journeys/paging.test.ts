import { afterAll, describe, expect, test } from "vitest";
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
    text: `INSERT INTO {messages} (channel_pk, created_at, updated_at, sender_pk, type, content)
      SELECT channel_pk, created_at, updated_at, sender_pk, type, n::text FROM {messages}, generate_series(2, 10000) n
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
