import { expect, test } from "vitest";
import { collectEvents } from "../../src/db/citus/collect-events";
import { type Db, readSchemas } from "../../src/db/db";
import { createSweeper } from "../../src/modules/retention/sweep-store";
import { chatWith } from "../support/chat";
import { indexAll } from "../support/index-all";
import { startServer } from "../support/server";

test.each([undefined, "30"])(
  "what is due can be read until it is erased, once; a hold keeps it (MADANG_RETENTION_DAYS: %s)",
  async (setting) => {
    const server = await startServer(
      setting === undefined ? {} : { settings: { MADANG_RETENTION_DAYS: setting } },
    );
    const chat = chatWith(server);
    for (const user_id of ["kim_01", "lee_02"]) await chat.users.create({ user_id, name: "U" });
    await chat.channels.create({ channel_id: "room_1", name: "R", members: ["kim_01", "lee_02"] });
    const at = Date.now() - 40 * 86_400_000;
    // Joined before the messages.
    await readSchemas(server.db, { name: "test.joined", text: "UPDATE members SET joined_at = 0" }, []);
    const text = { user_id: "kim_01", type: "text" as const };
    await chat.imports.messages(
      "room_1",
      Array.from({ length: 300 }, (_, i) => ({ ...text, content: `old ${i}`, created_at: at + i })),
    );
    const look = async () => ({
      list: (await chat.messages.list("room_1").toArray({ max: 1000 })).length,
      exported: (await chat.exports.messages("room_1").toArray({ max: 1000 })).length,
      found: (await chat.messages.search("room_1", { q: "old" }).toArray({ max: 1000 })).length,
      unread: (await chat.users.unread("lee_02")).unread_count,
      last: (await chat.users.channels("lee_02").toArray({ max: 5 }))[0]?.last_message?.type,
    });
    const visible = { list: 300, exported: 300, found: 300, unread: 100, last: "text" };
    const erased = { list: 0, exported: 0, found: 0, unread: 0, last: undefined };
    expect(await look()).toEqual(visible);
    await chat.channels.setRetention("room_1", { days: 30, hold: true });
    expect(await look()).toEqual(visible);
    const sweep = async () => {
      const step = createSweeper(server.db, setting === undefined ? undefined : Number(setting));
      while (await step());
    };
    // A round ends, so a server without due messages is idle.
    await sweep();
    expect(await look()).toEqual(visible);
    await chat.channels.setRetention("room_1", { days: 30, hold: false });
    expect(await look()).toEqual(visible);
    await sweep();
    expect(await look()).toEqual(erased);
    await chat.messages.send("room_1", { ...text, content: "old but new" });
    const fresh = { list: 1, exported: 1, found: 1, unread: 1, last: "text" };
    expect(await look()).toEqual(fresh);
    await sweep();
    expect(await look()).toEqual(fresh);
    await chat.channels.setRetention("room_1", { days: 36_500, hold: false });
    expect(await look()).toEqual(fresh);
    expect((await chat.channels.get("room_1")).total_message_count).toBe(301);
    await collectEvents(server.db, { waitsForLock: true });
    const [{ n } = { n: 0 }] = await server.db.query<{ n: number }>({
      name: "test.n",
      text: "SELECT count(*) AS n FROM events WHERE type = 'message.deleted'",
    });
    expect(n).toBe(300);
    await server.close();
  },
);

test("the period of a channel replaces that of the server, also by a longer one", async () => {
  const server = await startServer({ settings: { MADANG_RETENTION_DAYS: "30" } });
  const chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  const periods = { longer: 50, shorter: 10, default: null };
  const ages = [5, 20, 40];
  for (const [channel_id, days] of Object.entries(periods)) {
    await chat.channels.create({ channel_id, name: "Room", members: ["kim_01"] });
    await chat.channels.setRetention(channel_id, { days, hold: false });
    await chat.imports.messages(
      channel_id,
      ages.map((age) => ({
        user_id: "kim_01",
        type: "text",
        content: `${age} days old`,
        created_at: Date.now() - age * 86_400_000,
      })),
    );
  }
  const read = async (channel: string) =>
    (await chat.messages.list(channel).firstPage()).items.map((each) => Reflect.get(each, "content"));
  const step = createSweeper(server.db, 30);
  while (await step());
  expect(await read("longer")).toEqual(["5 days old", "20 days old", "40 days old"]);
  expect(await read("default")).toEqual(["5 days old", "20 days old"]);
  expect(await read("shorter")).toEqual(["5 days old"]);
  await server.close();
});

test("a hold that begins while its channel is swept keeps what is left", async () => {
  const server = await startServer();
  const chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  const text = { user_id: "kim_01", type: "text", content: "old" } as const;
  await chat.imports.messages(
    "room_1",
    Array.from({ length: 400 }, (_, index) => ({ ...text, created_at: index })),
  );
  await chat.channels.setRetention("room_1", { days: 30, hold: false });
  const countStored = async () =>
    (await server.db.channel("room_1").query({ name: "test.stored", text: "SELECT 1 FROM messages" })).length;
  const step = createSweeper(server.db, undefined);
  while ((await countStored()) === 400) await step();
  const left = await countStored();
  expect(left).toBeGreaterThan(0);
  await chat.channels.setRetention("room_1", { days: 30, hold: true });
  while (await step());
  expect(await countStored()).toBe(left);
  expect((await chat.exports.messages("room_1").toArray({ max: 1_000 })).length).toBe(left);
  await server.close();
});

test("after a step on a schema that is gone, a new round visits the schemas that replaced it", async () => {
  const server = await startServer();
  const chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  await chat.channels.setRetention("room_1", { days: 30, hold: false });
  const old = { user_id: "kim_01", type: "text", content: "old", created_at: 1 } as const;
  await chat.imports.messages("room_1", [old]);
  const [schema] = server.db.schemas();
  if (schema === undefined) throw new Error("There is no schema.");
  const gone = { ...schema, query: () => Promise.reject(new Error("The schema is gone.")) };
  let schemas: readonly Db[] = [gone];
  const step = createSweeper({ ...server.db, schemas: () => schemas }, undefined);
  await expect(step()).rejects.toThrow("The schema is gone.");
  // The server looks the schemas up only after the error.
  schemas = server.db.schemas();
  while (await step());
  const left = { name: "test.left", text: "SELECT 1 FROM messages" };
  expect(await server.db.channel("room_1").query(left)).toEqual([]);
  await server.close();
});

test("nothing that reads or names a message shows one that was erased by age", async () => {
  const server = await startServer();
  const chat = chatWith(server);
  for (const user_id of ["kim_01", "lee_02"]) await chat.users.create({ user_id, name: "U" });
  await chat.channels.create({ channel_id: "room_1", name: "R", members: ["kim_01", "lee_02"] });
  await readSchemas(server.db, { name: "test.joined", text: "UPDATE members SET joined_at = 0" }, []);
  const old = Date.now() - 40 * 86_400_000;
  const text = { user_id: "kim_01", type: "text" as const };
  // The second one is a reply that is older than its parent.
  await chat.imports.messages("room_1", [
    { ...text, external_id: "old", content: "findable old", mentions: ["lee_02"], created_at: old },
    { ...text, external_id: "new", content: "findable new", created_at: Date.now() },
    { ...text, external_id: "reply", reply_to: "new", content: "reply", created_at: old + 1 },
  ]);
  const [newest, , first] = (await chat.messages.list("room_1").firstPage()).items;
  const [oldId, newId] = [first?.message_id ?? "", newest?.message_id ?? ""];
  await chat.messages.send("room_1", { ...text, content: "answer", reply_to: oldId });
  await chat.messages.reactions.add("room_1", oldId, "👍", "lee_02");
  await chat.messages.pin("room_1", oldId);
  await chat.messages.update("room_1", oldId, { meta: { a: "b" } });
  await chat.channels.members.markRead("room_1", "kim_01");

  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => "done",
      (error) => error.code,
    );
  const contents = (items: readonly object[]) => items.map((each) => Reflect.get(each, "content"));
  const reactions = chat.messages.reactions;
  const look = async () => {
    const [inbox] = (await chat.users.channels("lee_02").firstPage()).items;
    const personal = await chat.privacy.export("lee_02").firstPage();
    const { events } = await chat.events.list();
    return {
      get: await outcome(chat.messages.get("room_1", oldId)),
      list: contents((await chat.messages.list("room_1").firstPage()).items),
      before: contents((await chat.messages.list("room_1", { before: newId }).firstPage()).items),
      around: contents((await chat.messages.list("room_1", { around: oldId }).firstPage()).items),
      exported: contents((await chat.exports.messages("room_1").firstPage()).items),
      found: contents(await chat.messages.search("room_1", { q: "findable" }).toArray({ max: 9 })),
      foundByUser: contents(await chat.users.searchMessages("lee_02", { q: "findable" }).toArray({ max: 9 })),
      listedByUser: contents(await chat.users.messages("kim_01").toArray({ max: 9 })),
      foundAnywhere: contents(await chat.messages.searchAll({ q: "findable" }).toArray({ max: 9 })),
      replies: await outcome(chat.messages.replies("room_1", oldId).firstPage()),
      repliesToNew: contents((await chat.messages.replies("room_1", newId).firstPage()).items),
      replyCount: (await chat.messages.get("room_1", newId)).reply_count,
      listedReplyCount: (await chat.messages.list("room_1").firstPage()).items.find(
        ({ message_id }) => message_id === newId,
      )?.reply_count,
      exportedReplyCount: (await chat.exports.messages("room_1").firstPage()).items.find(
        ({ message_id }) => message_id === newId,
      )?.reply_count,
      reactions: await outcome(reactions.list("room_1", oldId).firstPage()),
      readers: await outcome(chat.messages.readers("room_1", oldId)),
      pins: contents(await chat.channels.pins("room_1").toArray()),
      unread: [inbox?.unread_count, inbox?.mention_count],
      total: await chat.users.unread("lee_02"),
      member: (await chat.channels.members.get("room_1", "lee_02")).unread_count,
      sent: contents((await chat.privacy.export("kim_01").firstPage()).items),
      personal: [personal.mentions.length, personal.reactions.length],
      events: events.flatMap(({ type, data }) =>
        "message" in data && data.message?.message_id === oldId ? [type] : "reaction" in data ? [type] : [],
      ),
    };
  };
  const visible = {
    get: "done",
    list: ["answer", "findable new", "reply", "findable old"],
    before: ["reply", "findable old"],
    around: ["answer", "findable new", "reply", "findable old"],
    exported: ["answer", "findable new", "reply", "findable old"],
    found: ["findable new", "findable old"],
    foundByUser: ["findable new", "findable old"],
    listedByUser: ["answer", "findable new", "reply", "findable old"],
    foundAnywhere: ["findable new", "findable old"],
    replies: "done",
    repliesToNew: ["reply"],
    replyCount: 1,
    listedReplyCount: 1,
    exportedReplyCount: 1,
    reactions: "done",
    readers: "done",
    pins: ["findable old"],
    unread: [4, 1],
    total: { unread_count: 4, channel_count: 1, quiet_unread_count: 0 },
    member: 4,
    sent: ["findable old", "reply", "findable new", "answer"],
    personal: [1, 1],
    events: ["reaction.added", "message.pinned", "message.updated"],
  };
  expect(await look()).toEqual(visible);
  await chat.channels.setRetention("room_1", { days: 30, hold: false });
  expect(await look()).toEqual(visible);

  const step = createSweeper(server.db, undefined);
  while (await step());
  const erased = {
    get: "message_not_found",
    list: ["answer", "findable new"],
    before: [],
    around: ["answer", "findable new"],
    exported: ["answer", "findable new"],
    found: ["findable new"],
    foundByUser: ["findable new"],
    listedByUser: ["answer", "findable new"],
    foundAnywhere: ["findable new"],
    replies: "message_not_found",
    repliesToNew: [],
    replyCount: undefined,
    listedReplyCount: undefined,
    exportedReplyCount: undefined,
    reactions: "message_not_found",
    readers: "message_not_found",
    pins: [],
    unread: [2, 0],
    total: { unread_count: 2, channel_count: 1, quiet_unread_count: 0 },
    member: 2,
    sent: ["findable new", "answer"],
    personal: [0, 0],
    events: [],
  };
  expect(await look()).toEqual(erased);
  await indexAll(server.db);
  expect(await look()).toEqual(erased);

  // It is like a deleted one for every change that names it, and still marks a position.
  const changes = {
    update: () => chat.messages.update("room_1", oldId, { meta: {} }),
    delete: () => chat.messages.delete("room_1", oldId),
    pin: () => chat.messages.pin("room_1", oldId),
    unpin: () => chat.messages.unpin("room_1", oldId),
    react: () => reactions.add("room_1", oldId, "🎉", "lee_02"),
    takeBack: () => reactions.remove("room_1", oldId, "👍", "lee_02"),
    reply: () => chat.messages.send("room_1", { ...text, content: "again", reply_to: oldId }),
    report: () => chat.reports.create({ channel_id: "room_1", message_id: oldId, reason: "Noise" }),
  };
  for (const [name, change] of Object.entries(changes))
    expect([name, await outcome(change())]).toEqual([name, "message_not_found"]);
  expect(await chat.channels.members.markRead("room_1", "lee_02", oldId)).toMatchObject({
    unread_count: 2,
  });
  await server.close();
});
