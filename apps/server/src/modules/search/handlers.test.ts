import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { chatWith } from "../../../test/support/chat";
import { indexAll } from "../../../test/support/index-all";
import { startServer } from "../../../test/support/server";
import { countWaiting } from "../../../test/support/until-blocking";

let lookups = 0;
const server = await startServer({
  onStatement(name) {
    if (name === "users.find-position") lookups += 1;
  },
});
afterAll(() => server.close());

test("a process runs two searches at once, whatever they search", async () => {
  const chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  const paths = ["one", "two", "three"].flatMap((term) => [
    `/v1/group/channels/room_1/messages/search?q=${term}`,
    `/v1/users/kim_01/messages/search?q=${term}`,
  ]);
  const requests = await server.db.transaction(async (tx) => {
    await tx.query({ name: "test.lock", text: "LOCK TABLE messages IN ACCESS EXCLUSIVE MODE" });
    const sent = paths.map((path) => call(server.url, "GET", path));
    await expect.poll(() => countWaiting(server.db)).toBe(2);
    await setTimeout(200);
    expect(await countWaiting(server.db)).toBe(2);
    return { sent };
  });
  for (const { status } of await Promise.all(requests.sent)) expect(status).toBe(200);
});

test("a channel and its participants can be searched when a block has only messages without a character to search for", async () => {
  const chat = chatWith(server);
  await chat.users.create({ user_id: "park_03", name: "Park" });
  await chat.channels.create({ channel_id: "room_2", name: "Blank", members: ["park_03"] });
  const blank = Array.from({ length: 40 }, (_, index) => ({
    type: "system" as const,
    content: " ",
    created_at: index + 1,
  }));
  await chat.imports.messages("room_2", blank);
  await chat.imports.messages("room_2", [
    { user_id: "park_03", type: "text", content: "abc", created_at: 100 },
  ]);
  await indexAll(server.db);
  const pages = await Promise.all([
    chat.messages.search("room_2", { q: "abc" }).firstPage(),
    chat.users.searchMessages("park_03", { q: "abc" }).firstPage(),
  ]);
  for (const { items } of pages) expect(items).toMatchObject([{ content: "abc" }]);
});

test("a search of more channels than one read has ranges for ends, while imported messages wait for the index", async () => {
  const chat = chatWith(server);
  await chat.users.create({ user_id: "choi_04", name: "Choi" });
  const channels = Array.from({ length: 150 }, (_, index) => `many_${index}`);
  for (const channel_id of channels) {
    await chat.channels.create({ channel_id, name: "Many", members: ["choi_04"] });
    const old = { user_id: "choi_04", type: "text" as const, content: "imported", created_at: 1_000 };
    await chat.imports.messages(channel_id, [old, { ...old, created_at: 2_000 }]);
  }
  const found: string[] = [];
  for await (const { channel_id } of chat.users.searchMessages("choi_04", { q: "import" }))
    found.push(channel_id);
  expect(found.toSorted()).toEqual([...channels, ...channels].toSorted());
});

test("the cursor of a search for messages of a user is not that of a later user with the same id", async () => {
  const chat = chatWith(server);
  const person = { user_id: "lee_05", name: "Lee" };
  await chat.users.create({ user_id: "kim_06", name: "Kim" });
  await chat.channels.create({ channel_id: "room_5", name: "Room", members: ["kim_06"] });
  const sendTwo = async () => {
    await chat.users.create(person);
    await chat.channels.members.join("room_5", "lee_05");
    for (const content of ["one noon", "two noon"])
      await chat.messages.send("room_5", { user_id: "lee_05", type: "text", content });
  };
  await sendTwo();
  const searches = ["/v1/group/channels/room_5/messages/search", "/v1/messages/search"].map(
    (path) => (query: string) => call(server.url, "GET", `${path}?${query}`),
  );
  const cursors: string[] = [];
  for (const search of searches) {
    const { body } = await search("q=noon&user_id=lee_05&limit=1");
    cursors.push(String(Object(body).next));
  }
  await chat.users.delete("lee_05");
  for (const [index, search] of searches.entries())
    expect(await search(`next=${cursors[index]}`)).toMatchObject({
      status: 404,
      body: { code: "user_not_found" },
    });
  await sendTwo();
  for (const [index, search] of searches.entries())
    expect(await search(`next=${cursors[index]}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_cursor" },
    });
});

test("a page ends after about a megabyte, whatever its messages have besides the text", async () => {
  const chat = chatWith(server);
  await chat.users.create({ user_id: "han_07", name: "Han" });
  await chat.channels.create({ channel_id: "room_7", name: "Room", members: ["han_07"] });
  const parts = [{ type: "card", data: "x".repeat(60_000) }];
  for (let index = 0; index < 40; index++)
    await chat.messages.send("room_7", { user_id: "han_07", type: "text", content: "needle", parts });
  for (const list of [
    chat.messages.search("room_7", { q: "needle", pageSize: 100 }),
    chat.users.messages("han_07", { pageSize: 100 }),
  ]) {
    const ids: string[] = [];
    for await (const { items } of list.pages()) {
      expect(JSON.stringify(items).length).toBeLessThan(1.2 * 2 ** 20);
      ids.push(...items.map(({ message_id }) => message_id));
    }
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  }
});

test("a search that waits does not share the result of one for an earlier user with the same id", async () => {
  const chat = chatWith(server);
  const person = { user_id: "lee_08", name: "Lee" };
  await chat.users.create(person);
  await chat.channels.create({ channel_id: "room_8", name: "Room", members: ["lee_08"] });
  await chat.messages.send("room_8", { user_id: "lee_08", type: "text", content: "noon" });
  const search = (query: string) =>
    call(server.url, "GET", `/v1/group/channels/room_8/messages/search?${query}`);
  const { earlier, later } = await server.db.channel("room_8").transaction(async (tx) => {
    await tx.query({ name: "test.lock", text: "LOCK TABLE messages IN ACCESS EXCLUSIVE MODE" });
    const running = ["one", "two"].map((term) => search(`q=${term}`));
    await expect.poll(() => countWaiting(server.db)).toBe(2);
    const before = lookups;
    const earlier = search("q=noon&user_id=lee_08");
    await expect.poll(() => lookups).toBeGreaterThan(before);
    await chat.users.delete("lee_08");
    await chat.users.create(person);
    const later = search("q=noon&user_id=lee_08");
    await setTimeout(300);
    return { running, earlier, later };
  });
  expect((await earlier).body.messages).toMatchObject([{ content: "noon" }]);
  expect((await later).body).toEqual({ messages: [] });
});
