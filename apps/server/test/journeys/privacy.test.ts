import { ChatClient, type Message, type PersonalPage } from "@madang/client";
import pg from "pg";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { removals } from "../../src/app/modules";
import { readSchemas } from "../../src/db/db";
import { importMessages } from "../../src/modules/imports/store";
import { createEraser } from "../../src/modules/privacy/erase-store";
import { listAllErasures, repeatErasure } from "../../src/modules/privacy/store";
import { openWriter } from "../../src/write/writer";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { isDistributed } from "../support/citus";
import { finishErasures } from "../support/erasures";
import { masterKey, startServer, startServerOn, type TestServer } from "../support/server";
import { sweepDeletedChannels } from "../support/sweep";
import { untilBlocking, untilWaitingNext } from "../support/until-blocking";
import { withWorkAfter } from "../support/work-after";

// Without background tasks: the tests do the steps.
let server: TestServer;
let chat: ChatClient;
let step: ReturnType<typeof createEraser>;
beforeEach(async () => {
  await server?.close();
  server = await startServer();
  step = createEraser({ db: server.db, now: Date.now, ...removals });
  chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  for (const user_id of ["gone", "other"]) await chat.users.create({ user_id, name: `Name of ${user_id}` });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["gone", "other"] });
});
afterAll(() => server.close());

/** The rows of all schemas. */
const readAll = async (text: string) =>
  (await readSchemas(server.db, { name: `test.${text.slice(0, 50)}`, text }, [])).flat();

async function finish(): Promise<void> {
  while (await step());
}
const send = (user_id: string, content: string, channel = "room_1") =>
  chat.messages.send(channel, { user_id, type: "text", content });
async function listPages(userId: string): Promise<PersonalPage[]> {
  const pages: PersonalPage[] = [];
  for await (const page of chat.privacy.export(userId).pages()) pages.push(page);
  return pages;
}
const deletedUser = { user_id: "~deleted", name: "Deleted user", meta: {} };

test("a person with many mentions and no messages is exported", async () => {
  const mentioning = Array.from({ length: 60 }, (_, index) => ({
    user_id: "other",
    type: "text" as const,
    content: "Hi",
    mentions: ["gone"],
    created_at: index + 1,
  }));
  await chat.imports.messages("room_1", mentioning);
  let mentions = 0;
  for await (const page of chat.privacy.export("gone", { pageSize: 1 }).pages())
    mentions += page.mentions.length;
  expect(mentions).toBe(60);
});

test("kept messages have the sender ~deleted in every list, and are not in the export of the person", async () => {
  await chat.users.update("gone", { name: "Name of gone", profile_url: "https://example.com/gone.png" });
  const { message_id } = await send("gone", "kept");
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await finish();
  expect(await chat.privacy.get(erasure_id)).toMatchObject({
    status: "done",
    erased: { messages: 0, memberships: 1, channels: 1 },
  });
  const shown = [
    (await chat.messages.list("room_1").firstPage()).items[0],
    await chat.messages.get("room_1", message_id),
    (await chat.exports.messages("room_1").firstPage()).items[0],
    (await chat.messages.search("room_1", { q: "kept" }).firstPage()).items[0],
  ];
  for (const message of shown) {
    expect(message).toMatchObject({ content: "kept", user: deletedUser });
    expect(message).not.toHaveProperty("user.profile_url");
  }
  expect((await chat.channels.members.list("room_1")).map(({ user_id }) => user_id)).toEqual(["other"]);
  await expect(chat.privacy.export("gone").firstPage()).rejects.toMatchObject({ code: "user_not_found" });

  // The messages can be erased later.
  const again = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await finish();
  expect((await chat.privacy.get(again.erasure_id)).erased).toEqual({
    messages: 1,
    memberships: 0,
    channels: 1,
  });
  expect((await chat.messages.list("room_1").firstPage()).items).toEqual([]);
});

test("erased messages are gone for every reader, and the counts of others are right", async () => {
  await send("other", "first");
  await send("gone", "second");
  await send("gone", "third");
  expect(await chat.users.unread("other")).toMatchObject({ unread_count: 2 });
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await finish();
  expect(await chat.users.unread("other")).toEqual({
    unread_count: 0,
    channel_count: 0,
    quiet_unread_count: 0,
  });
  const [entry] = (await chat.users.channels("other").firstPage()).items;
  expect(entry).toMatchObject({ total_message_count: 3, last_message: { content: "first" } });
  const { events } = await chat.events.list({ types: ["message.created", "message.deleted"] });
  expect(events.map(({ type }) => type).sort()).toEqual([
    "message.created",
    "message.created",
    "message.created",
    "message.deleted",
    "message.deleted",
  ]);
  expect(JSON.stringify(events)).not.toMatch(/second|third|Name of gone/);
});

test("every user that ever had the id is erased, and one that gets it meanwhile is not", async () => {
  await send("gone", "of the first");
  await chat.users.delete("gone");
  await chat.users.create({ user_id: "gone", name: "Second" });
  const erasure = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await step();
  await chat.users.create({ user_id: "gone", name: "Third" }, { idempotencyKey: "third" });
  await chat.channels.members.join("room_1", "gone");
  await send("gone", "of the third");
  await finish();
  expect((await chat.privacy.get(erasure.erasure_id)).erased.messages).toBe(1);
  expect(await chat.users.get("gone")).toMatchObject({ name: "Third" });
  expect((await chat.messages.list("room_1").firstPage()).items).toMatchObject([{ content: "of the third" }]);
  // Its stored results stay as well.
  const repeated = await call(server.url, "POST", "/v1/users", {
    body: { user_id: "gone", name: "Third" },
    idempotencyKey: "third",
  });
  expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");

  // Nothing of the erased ones is part of the export.
  const pages = await listPages("gone");
  expect(pages.map(({ user, memberships, items }) => [user.name, memberships.length, items.length])).toEqual([
    ["Third", 1, 1],
  ]);
});

test("of concurrent erasures of one id, one begins and the others are the same", async () => {
  const body = { user_id: "gone", messages: "erase" };
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call(server.url, "POST", "/v1/privacy/erasures", { body })),
  );
  expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.erasure_id}`)).size).toBe(1);
  expect((await chat.privacy.list().firstPage()).items).toHaveLength(1);

  // A new user with the id needs a new erasure.
  await chat.users.create({ user_id: "gone", name: "Second" });
  const second = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  expect(second.erasure_id).not.toBe(replies[0]?.body.erasure_id);
  await finish();
  await expect(chat.users.get("gone")).rejects.toMatchObject({ code: "user_not_found" });
});

test("a repeated request has the result of the first one, also after the end", async () => {
  const request = { body: { user_id: "gone", messages: "erase" }, idempotencyKey: "erase" };
  const first = await call(server.url, "POST", "/v1/privacy/erasures", request);
  await finish();
  await chat.users.create({ user_id: "gone", name: "Second" });
  const repeated = await call(server.url, "POST", "/v1/privacy/erasures", request);
  expect(repeated.body).toEqual(first.body);
  expect(await chat.users.get("gone")).toMatchObject({ name: "Second" });
});

test.each([
  ["PUT", "/pin"],
  ["DELETE", "/pin"],
  ["DELETE", ""],
] as const)(
  "the stored result of %s /messages/…%s does not name the sender, and is kept",
  async (method, path) => {
    const { message_id } = await send("gone", "text");
    const change = () =>
      call(server.url, method, `/v1/group/channels/room_1/messages/${message_id}${path}`, {
        idempotencyKey: "change",
      });
    expect(await change()).toMatchObject({ status: 200 });
    await chat.privacy.erase({ user_id: "gone", messages: "erase" });
    await finish();
    const repeated = await change();
    expect(repeated.status).toBe(200);
    expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");
  },
);

test("stored results are removed only when no request that could have read the name is running", async () => {
  const update = { body: { name: "Name of gone" }, idempotencyKey: "update" };
  expect(await call(server.url, "PUT", "/v1/users/gone", update)).toMatchObject({ status: 200 });
  const isStored = async () => {
    const text = "SELECT 1 FROM idempotency_keys WHERE key = 'update'";
    return (await server.db.query({ name: "test.stored", text })).length > 0;
  };
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await server.db.transaction(async (tx) => {
    await tx.query({ name: "test.begin", text: "SELECT 1" });
    while ((await step()) === true);
    expect(await step()).toBe("waiting");
    expect(await isStored()).toBe(true);
    expect((await chat.privacy.get(erasure_id)).status).toBe("running");
  });
  await finish();
  expect(await isStored()).toBe(false);
  expect((await chat.privacy.get(erasure_id)).status).toBe("done");
});

test("an erasure also waits for the requests of a service whose connections have another name", async () => {
  const url = new URL(server.databaseUrl);
  url.searchParams.set("application_name", "chat");
  const { db, close } = await startServerOn(url.href);
  step = createEraser({ db, now: Date.now, ...removals });
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await db.transaction(async (tx) => {
    await tx.query({ name: "test.begin", text: "SELECT 1" });
    while ((await step()) === true);
    expect(await step()).toBe("waiting");
  });
  await finish();
  await close();
});

// With nodes, the view of locks does not show that one waits for another.
test.skipIf(isDistributed)(
  "messages are erased that an import stores meanwhile, which began before the user existed",
  async () => {
    const message = (user_id: string, external_id: string) => ({
      external_id,
      user_id,
      type: "text" as const,
      content: `of ${user_id}`,
      created_at: 1,
    });
    const sent = [message("late", "late"), message("other", "taken")];
    const db = withWorkAfter("channels.lock-with-users", server.db, () =>
      chat.users.create({ user_id: "late", name: "Late" }),
    );
    const importing = await server.db.transaction(async (tx) => {
      const run = (text: string) => tx.query({ name: text.slice(0, 60), text });
      // The import waits for the row, after it has found the user.
      await run(`INSERT INTO messages (channel_pk, created_at, updated_at, type, content, external_id)
      SELECT pk, 1, 1, 'system', 'x', 'taken' FROM channels`);
      const importing = importMessages(openWriter(db), {
        channelId: "room_1",
        userIds: ["late", "other"],
        withFiles: [],
        encodedMessages: Buffer.from(JSON.stringify(sent)),
      });
      await untilBlocking(run);
      await chat.privacy.erase({ user_id: "late", messages: "erase" });
      while ((await step()) === true);
      await run("DELETE FROM messages WHERE external_id = 'taken'");
      return { importing };
    });
    expect(await importing.importing).toEqual({ imported: 2, skipped: 0 });
    await finish();
    const { items } = await chat.messages.list("room_1").firstPage();
    expect(items.map(({ external_id }) => external_id)).toEqual(["taken"]);
  },
);

test.runIf(isDistributed)("they also wait for requests that are connected to a worker", async () => {
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  const url = new URL(inject("citusWorkers")?.[0] ?? "");
  url.pathname = new URL(server.databaseUrl).pathname;
  const request = new pg.Client({ connectionString: url.href, application_name: "madang" });
  await request.connect();
  await request.query("BEGIN");
  while ((await step()) === true);
  expect(await step()).toBe("waiting");
  await request.end();
  await finish();
});

test("stored results of erased reports are removed, also those that were stored during the erasure", async () => {
  const { message_id } = await send("gone", "text");
  const about = { channel_id: "room_1", reported_user_id: "gone", reason: "It wrote: text" };
  const { report_id } = await chat.reports.create(about);
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  const isForgotten = async () => (await chat.reports.get(report_id)).reported_user_id === undefined;
  while (!(await isForgotten())) await step();
  await chat.reports.resolve(report_id, { status: "resolved" }, { idempotencyKey: "resolve" });
  const quoting = { channel_id: "room_1", message_id, reason: "It wrote: text" };
  await chat.reports.create(quoting, { idempotencyKey: "create" });
  await finish();
  const text = "SELECT key FROM idempotency_keys WHERE strpos(result::text, 'It wrote') > 0";
  expect(await server.db.query({ name: "test.quoting", text })).toEqual([]);
});

test("a report about a message that was deleted before the erasure no longer quotes it, and keeps who reported it", async () => {
  const { message_id } = await send("gone", "secret");
  const report = { channel_id: "room_1", message_id, reporter_user_id: "other", reason: "It wrote: secret" };
  const options = { idempotencyKey: "report" };
  const { report_id } = await chat.reports.create(report, options);
  await chat.messages.delete("room_1", message_id);
  expect((await chat.reports.get(report_id)).reported).toMatchObject({ content: "secret" });
  await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await finish();
  expect(await chat.reports.get(report_id)).toMatchObject({ reason: "Erased", reporter_user_id: "other" });
  expect(await chat.reports.get(report_id)).not.toHaveProperty("reported");
  await expect(chat.reports.create(report, options)).rejects.toMatchObject({ code: "message_not_found" });
});

test("an erasure keeps the stored results of others, whatever their metadata is called", async () => {
  const meta = { reportId: "x", erasureId: "y" };
  const create = (user_id: string) =>
    chat.users.create({ user_id, name: "Name", meta }, { idempotencyKey: user_id });
  await create("third");
  await create("fourth");
  await chat.privacy.erase({ user_id: "fourth", messages: "erase" });
  await finish();
  const text = "SELECT key FROM idempotency_keys WHERE key IN ('third', 'fourth')";
  const keys = await server.db.query({ name: "test.keys", text });
  expect(keys).toEqual([{ key: "third" }]);
});

test("the stored result of a report is removed with the report of a deleted channel", async () => {
  const { message_id } = await send("gone", "secret");
  const quoting = { channel_id: "room_1", message_id, reason: "It wrote: secret" };
  await chat.reports.create(quoting, { idempotencyKey: "report" });
  await chat.channels.delete("room_1");
  while (await sweepDeletedChannels(server.db));
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await finish();
  const text = "SELECT key FROM idempotency_keys WHERE strpos(result::text, 'It wrote') > 0";
  expect(await server.db.query({ name: "test.quoting", text })).toEqual([]);
});

// With nodes, the view of locks does not show that one waits for another.
test.each(isDistributed ? ["user"] : ["user", "message", "channel"])(
  "the deletion of a %s waits until a report that names it is stored, so it finds the report",
  async (kind) => {
    const { message_id } = await send("other", "text");
    const { reporting, deleting } = await server.db.transaction(async (tx) => {
      const run = (text: string) => tx.query({ name: text.slice(0, 60), text });
      await run("LOCK TABLE reports IN SHARE MODE");
      const named = { channel_id: "room_1", message_id, reported_user_id: "gone", reason: "Spam" };
      const reporting = chat.reports.create(named);
      await untilBlocking(run);
      const deleting =
        kind === "user"
          ? chat.users.delete("gone")
          : kind === "message"
            ? chat.messages.delete("room_1", message_id)
            : chat.channels.delete("room_1");
      await untilWaitingNext(run);
      return { reporting, deleting };
    });
    await Promise.all([reporting, deleting]);
  },
);

test("an application may have a user with the id deleted", async () => {
  await send("gone", "kept");
  await chat.users.create({ user_id: "deleted", name: "A name" });
  await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await finish();
  await chat.privacy.erase({ user_id: "deleted", messages: "erase" });
  await finish();
  expect((await chat.messages.list("room_1").firstPage()).items).toMatchObject([{ content: "kept" }]);
  await expect(chat.privacy.export("deleted").firstPage()).rejects.toMatchObject({ code: "user_not_found" });
});

test("messages of a deleted channel are removed too, and do not count", async () => {
  await chat.channels.create({ channel_id: "room_2", name: "Room", members: ["gone"] });
  await send("gone", "in a deleted channel", "room_2");
  await chat.channels.delete("room_2");
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await finish();
  expect((await chat.privacy.get(erasure_id)).erased).toEqual({
    messages: 0,
    memberships: 1,
    channels: 1,
  });
  expect(await readAll("SELECT 1 FROM messages")).toEqual([]);
  while (await sweepDeletedChannels(server.db));
});

/** The id of a new channel in the schema of another one: a step has channels of one schema. */
function nameNeighbor(channelId: string): string {
  const ids = Array.from({ length: 1_000 }, (_, index) => `neighbor_${index}`);
  return ids.find((id) => server.db.channel(id) === server.db.channel(channelId)) ?? "";
}

test("a step waits for no channel while it holds locks on others, and comes back to what it left", async () => {
  const free = nameNeighbor("room_1");
  await chat.channels.create({ channel_id: free, name: "Room", members: ["gone"] });
  await send("gone", "in a locked channel");
  await send("gone", "in a free channel", free);
  await chat.channels.members.leave("room_1", "gone");
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  // It waits for transactions that began before it.
  await step();
  const text = "SELECT pk FROM channels WHERE channel_id = 'room_1' FOR UPDATE";
  await server.db.channel("room_1").transaction(async (tx) => {
    await tx.query({ name: "test.lock", text });
    while ((await chat.privacy.get(erasure_id)).erased.messages === 0) await step();
    expect((await chat.messages.list(free).firstPage()).items).toEqual([]);
  });
  await finish();
  expect((await chat.privacy.get(erasure_id)).erased.messages).toBe(2);
});

test("reactions and mentions are removed from the messages of others, with their counts and what events say", async () => {
  const { message_id } = await chat.messages.send("room_1", {
    user_id: "other",
    type: "text",
    content: "Hello",
    mentions: ["gone", "other"],
  });
  const own = await chat.messages.send("room_1", {
    user_id: "other",
    type: "text",
    content: "Only you",
    mentions: ["gone"],
  });
  for (const [reaction, user] of [
    ["👍", "gone"],
    ["mine", "gone"],
    ["👍", "other"],
  ] as const)
    await chat.messages.reactions.add("room_1", message_id, reaction, user);
  await chat.messages.reactions.add("room_1", own.message_id, "removed", "gone");
  await chat.messages.reactions.remove("room_1", own.message_id, "removed", "gone");
  // Deleting the user keeps them.
  await chat.users.delete("gone");
  expect(await chat.messages.get("room_1", message_id)).toMatchObject({
    reactions: [
      { reaction: "👍", count: 2 },
      { reaction: "mine", count: 1 },
    ],
    mentions: ["gone", "other"],
  });

  const { next } = await chat.events.list({ after: "latest" });
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await finish();
  expect(await chat.messages.get("room_1", message_id)).toMatchObject({
    reactions: [{ reaction: "👍", count: 1 }],
    mentions: ["other"],
  });
  const left = await chat.messages.reactions.list("room_1", message_id).firstPage();
  expect(left.items.map(({ reaction, user }) => [reaction, user.user_id])).toEqual([["👍", "other"]]);
  expect(await chat.messages.get("room_1", own.message_id)).not.toHaveProperty("mentions");
  expect((await chat.privacy.get(erasure_id)).erased).toMatchObject({ messages: 0, channels: 1 });

  const all = (await chat.events.list()).events.filter(({ type }) => type.startsWith("reaction."));
  expect(all).toHaveLength(7);
  const withReaction = all.flatMap(({ data }) => ("reaction" in data ? [data] : []));
  expect(withReaction).toEqual([{ message_id, reaction: "👍", user_id: "other" }]);
  const { events } = await chat.events.list({ after: next });
  expect(events.map(({ type }) => type).sort()).toEqual([
    "member.left",
    "message.updated",
    "message.updated",
    "reaction.removed",
    "reaction.removed",
  ]);
  expect((await checkData(server.databaseUrl)).violations).toEqual([]);
});

test("an erasure that waited for a reaction to the same message subtracts from the new counts", async () => {
  const { message_id } = await send("other", "Hello");
  for (const reaction of ["👍", "🎉"])
    await chat.messages.reactions.add("room_1", message_id, reaction, "gone");
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  // It waits for transactions that began before it.
  await step();
  const calls: Promise<unknown>[] = [];
  const pk = message_id.split("-")[1];
  await server.db.channel("room_1").transaction(async (tx) => {
    await tx.query({ name: "test.lock", text: `SELECT 1 FROM messages WHERE pk = ${pk} FOR UPDATE` });
    calls.push(chat.messages.reactions.add("room_1", message_id, "👍", "other"));
    await untilBlocking((sql) => tx.query({ name: "test.waiting", text: sql }));
    calls.push(finish());
    // The second one waits for the first.
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'tuple' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect
      .poll(() => tx.query({ name: "test.queued", text: waiting }), { interval: 10 })
      .not.toEqual([]);
  });
  await Promise.all(calls);
  expect((await chat.privacy.get(erasure_id)).status).toBe("done");
  expect((await chat.messages.get("room_1", message_id)).reactions).toEqual([{ reaction: "👍", count: 1 }]);
  expect((await checkData(server.databaseUrl)).violations).toEqual([]);
});

test("an erasure waits for an import that mentions the user, and removes its mentions", async () => {
  const first = {
    user_id: "other",
    type: "text" as const,
    content: "first",
    created_at: 1,
    external_id: "first",
  };
  await chat.channels.create({ channel_id: "room_2", name: "Room", members: ["other"] });
  await chat.imports.messages("room_2", [first]);
  const calls: Promise<unknown>[] = [];
  await server.db.channel("room_2").transaction(async (tx) => {
    await tx.query({
      name: "test.lock",
      text: "SELECT 1 FROM messages WHERE external_id = 'first' FOR UPDATE",
    });
    // It has read the users when it waits, because it counts the reply.
    const reply = { ...first, external_id: "second", reply_to: "first", created_at: 2, mentions: ["gone"] };
    calls.push(chat.imports.messages("room_2", [reply]));
    await untilBlocking((sql) => tx.query({ name: "test.waiting", text: sql }));
    const erasing = chat.privacy.erase({ user_id: "gone", messages: "erase" }).then(async () => {
      while ((await step()) === true);
    });
    calls.push(erasing);
    const isWaiting = untilWaitingNext((sql) => tx.query({ name: "test.waiting-next", text: sql }));
    await Promise.race([erasing, isWaiting]);
  });
  await Promise.all(calls);
  await finish();
  expect(await readAll("SELECT 1 FROM mentions")).toEqual([]);
  expect(JSON.stringify(await chat.exports.messages("room_2").toArray({ max: 10 }))).not.toContain("gone");
});

test("a report about a message of the user, by a request that began before the erasure, is erased", async () => {
  const { message_id } = await send("gone", "Hello");
  const about = { channel_id: "room_1", message_id, reporter_user_id: "other", reason: "Gone is rude" };
  const calls: Promise<unknown>[] = [];
  await server.db.transaction(async (tx) => {
    await tx.query({
      name: "test.lock-reports",
      text: `SELECT pg_advisory_xact_lock(hashtextextended('reports of ' || pk, 0)) FROM users WHERE user_id = 'other'`,
    });
    // It has found the message and its sender when it waits.
    calls.push(chat.reports.create(about));
    await untilBlocking((sql) => tx.query({ name: "test.waiting", text: sql }));
    // It waits for the report, which has locked the sender.
    calls.push(chat.privacy.erase({ user_id: "gone", messages: "keep" }));
    await untilWaitingNext((sql) => tx.query({ name: "test.waiting-next", text: sql }));
  });
  await Promise.all(calls);
  await finish();
  const reports = { name: "test.reports", text: "SELECT reason FROM reports" };
  expect(await server.db.query(reports)).toEqual([{ reason: "Erased" }]);
});

test("a message that waits while a user whom it mentions is erased is rejected", async () => {
  const sent = await server.db.channel("room_1").transaction(async (tx) => {
    await tx.query({ name: "test.lock", text: "SELECT 1 FROM users WHERE user_id = 'other' FOR UPDATE" });
    const message = { user_id: "other", type: "text", content: "Hello", mentions: ["gone"] };
    const path = "/v1/group/channels/room_1/messages";
    const reply = call(server.url, "POST", path, { body: message });
    await untilBlocking((sql) => tx.query({ name: "test.waiting", text: sql }));
    await chat.privacy.erase({ user_id: "gone", messages: "erase" });
    while ((await step()) === true);
    return { reply };
  });
  expect((await sent.reply).body.code).toBe("member_not_found");
  await finish();
  expect(await readAll("SELECT 1 FROM mentions")).toEqual([]);
});

test("an erasure keeps the stored results of a new user with the id, and those in which a channel has it", async () => {
  const create = (name: string) => ({ body: { user_id: "gone", name }, idempotencyKey: name });
  await chat.users.delete("gone");
  await call(server.url, "POST", "/v1/users", create("Second"));
  await chat.channels.create({ channel_id: "gone", name: "Room", members: ["other"] });
  const announcement = {
    body: { channel_ids: ["gone", "room_1"], user_id: "other", type: "text", content: "Hello" },
    idempotencyKey: "announce",
  };
  await call(server.url, "POST", "/v1/messages", announcement);
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await call(server.url, "POST", "/v1/users", create("Third"));
  await finish();
  const isReplayed = async (path: string, request: object) =>
    (await call(server.url, "POST", path, request)).headers.get("Idempotent-Replayed") === "true";
  expect(await isReplayed("/v1/messages", announcement)).toBe(true);
  expect(await isReplayed("/v1/users", create("Third"))).toBe(true);
  // The result of the erased user is gone, so the request runs again.
  expect(await call(server.url, "POST", "/v1/users", create("Second"))).toMatchObject({ status: 409 });
});

test("of a report, an erasure removes the texts and the erased user, and the other user keeps it", async () => {
  await chat.users.create({ user_id: "third", name: "Third" });
  const report = async (reported_user_id: string, reporter_user_id: string) => {
    const named = { channel_id: "room_1", reported_user_id, reporter_user_id, reason: "Spam" };
    return (await chat.reports.create(named)).report_id;
  };
  const [by, about] = [await report("other", "gone"), await report("gone", "other")];
  const ofOthers = await report("third", "other");
  await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await finish();
  expect(await chat.reports.get(by)).toMatchObject({ reported_user_id: "other", reason: "Erased" });
  expect(await chat.reports.get(by)).not.toHaveProperty("reporter_user_id");
  expect(await chat.reports.get(about)).toMatchObject({ reporter_user_id: "other", reason: "Erased" });
  expect(await chat.reports.get(about)).not.toHaveProperty("reported_user_id");
  const exported = (await listPages("other")).flatMap(({ reports }) => reports);
  expect(exported.map(({ report_id }) => report_id)).toEqual([by, about, ofOthers]);
  // The stored result of an erased report is not needed: the report exists.
  expect(await chat.reports.get(ofOthers)).toMatchObject({ reason: "Spam" });
});

test("the export of a person has the reports about its messages, also about one that was deleted", async () => {
  const { message_id } = await send("gone", "Buy now");
  const about = { channel_id: "room_1", message_id, reporter_user_id: "other", reason: "Gone advertises" };
  const { report_id } = await chat.reports.create(about);
  await chat.messages.delete("room_1", message_id);
  for (const user of ["gone", "other"]) {
    const exported = (await listPages(user)).flatMap(({ reports }) => reports);
    expect(exported).toMatchObject([{ report_id, reason: "Gone advertises" }]);
  }
});

test("an erased or deleted user is not counted as a participant from the response on", async () => {
  const { message_id } = await send("other", "Hello");
  const counts = async () => [
    (await chat.users.channels("other").firstPage()).items[0]?.member_count,
    (await chat.messages.readers("room_1", message_id)).member_count,
  ];
  await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  expect(await counts()).toEqual([1, 1]);
  await finish();
  await chat.users.create({ user_id: "third", name: "Third" });
  await chat.channels.members.join("room_1", "third");
  expect(await counts()).toEqual([2, 2]);
  await chat.users.delete("third");
  expect(await counts()).toEqual([1, 1]);
});

test("also if the messages are kept, reports, stored results and events contain nothing of the name", async () => {
  const { message_id } = await send("gone", "kept");
  const quoting = { channel_id: "room_1", message_id, reason: "Name of gone wrote this" };
  const { report_id } = await chat.reports.create(quoting, { idempotencyKey: "report" });
  const resolution = { status: "resolved", resolution: "Name of gone was warned" } as const;
  await chat.reports.resolve(report_id, resolution, { idempotencyKey: "resolve" });
  await chat.channels.members.mute("room_1", "gone");
  await chat.channels.bans.add("room_1", "gone", { until: Date.now() + 60_000 });
  await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await finish();
  expect(await chat.reports.get(report_id)).toMatchObject({ message_id, reason: "Erased" });
  expect(JSON.stringify((await chat.events.list()).events)).not.toContain("Name of gone");
  const text = `SELECT key AS found FROM idempotency_keys WHERE strpos(result::text, 'Name of gone') > 0
    UNION ALL SELECT type FROM events WHERE user_id = 'gone' AND detail IS NOT NULL`;
  expect([...(await server.db.query({ name: "test.left", text })), ...(await readAll(text))]).toEqual([]);
});

test("a report in a channel that is held keeps its reason without the ids, until the hold ends", async () => {
  const held = { days: null, hold: true };
  await chat.channels.create({ channel_id: "room_2", name: "Room", members: ["gone"] });
  const { message_id } = await send("gone", "held");
  const report = async (channel_id: string, users: object, reason: string) => {
    const { report_id } = await chat.reports.create({ channel_id, reason, ...users });
    await chat.reports.resolve(report_id, { status: "resolved", resolution: `after ${reason}` });
    return report_id;
  };
  const [about, by, quoting] = [{ reported_user_id: "gone" }, { reporter_user_id: "gone" }, { message_id }];
  const kept = [
    await report("room_1", about, "about"),
    await report("room_1", { ...by, reported_user_id: "other" }, "by"),
    await report("room_1", { ...about, ...quoting }, "of a message"),
  ];
  const erased = [await report("room_2", about, "about"), await report("room_2", by, "by")];
  await chat.channels.setRetention("room_1", held);
  await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await finish();
  const read = (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { reason, resolution, ...rest } = await chat.reports.get(id);
        return [reason, resolution, JSON.stringify(rest).includes("gone")];
      }),
    );
  const isErased = ["Erased", undefined, false];
  expect(await read(erased)).toEqual([isErased, isErased]);
  expect(await read(kept)).toEqual([
    ["about", "after about", false],
    ["by", "after by", false],
    ["of a message", "after of a message", false],
  ]);
  await chat.channels.setRetention("room_1", { ...held, hold: false });
  await finish();
  expect(await read(kept)).toEqual([isErased, isErased, isErased]);
});

test("a hold that begins during an erasure keeps what is not erased yet", async () => {
  await chat.channels.create({ channel_id: "room_2", name: "Room", members: ["gone"] });
  await send("gone", "kept");
  await send("gone", "erased", "room_2");
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  for (let steps = 0; steps < 3; steps += 1) await step();
  await chat.channels.setRetention("room_1", { days: null, hold: true });
  await finish();
  expect((await chat.privacy.get(erasure_id)).erased).toMatchObject({ messages: 1, held: 1 });
  expect((await chat.messages.list("room_1").firstPage()).items).toMatchObject([{ content: "kept" }]);
  expect((await chat.messages.list("room_2").firstPage()).items).toEqual([]);
});

test("what is in a channel that is held is left, and erased when the hold ends", async () => {
  const { message_id } = await send("other", "held too");
  await chat.messages.reactions.add("room_1", message_id, "👍", "gone");
  for (const content of ["held", "also held"]) await send("gone", content);
  const held = { days: null, hold: true };
  for (const channel_id of ["room_2", "room_3"])
    await chat.channels.create({ channel_id, name: "Room", members: ["gone"] });
  await send("gone", "not held", "room_2");
  await send("gone", "held longer", "room_3");
  for (const channel of ["room_1", "room_3"]) await chat.channels.setRetention(channel, held);
  const { erasure_id } = await chat.privacy.erase({ user_id: "gone", messages: "erase" });
  await finish();
  expect(await chat.privacy.get(erasure_id)).toMatchObject({
    status: "running",
    erased: { messages: 1, memberships: 3, channels: 3, held: 3 },
  });
  // Of another process, which has not visited anything yet.
  await finishErasures(server.db);
  expect((await chat.privacy.get(erasure_id)).erased).toMatchObject({ messages: 1, held: 3 });
  const room = async () => (await chat.messages.list("room_1").firstPage()).items;
  expect(await room()).toMatchObject([
    { content: "also held", user: deletedUser },
    { content: "held", user: deletedUser },
    { content: "held too", reactions: [{ reaction: "👍", count: 1 }] },
  ]);

  await chat.channels.setRetention("room_1", { ...held, hold: false });
  await finish();
  expect(await chat.privacy.get(erasure_id)).toMatchObject({
    status: "running",
    erased: { messages: 3, memberships: 3, channels: 3, held: 1 },
  });
  const left = await room();
  expect(left).toMatchObject([{ content: "held too" }]);
  expect(left[0]).not.toHaveProperty("reactions");
  // A hold also ends with its channel, whose messages do not count.
  await chat.channels.delete("room_3");
  while (await sweepDeletedChannels(server.db));
  await finish();
  expect(await chat.privacy.get(erasure_id)).toMatchObject({ status: "done" });
  expect((await chat.privacy.get(erasure_id)).erased).toEqual({ messages: 3, memberships: 3, channels: 3 });
  expect((await checkData(server.databaseUrl)).violations).toEqual([]);
});

test.each([
  [
    "a reaction",
    ({ message_id }: Message) => chat.messages.reactions.add("room_1", message_id, "👍", "gone"),
  ],
  ["a report", () => chat.reports.create({ channel_id: "room_1", reported_user_id: "gone", reason: "spam" })],
])("an erasure that waits only because %s is on hold says that no message is", async (_, add) => {
  await add(await send("other", "of another user"));
  await send("gone", "kept");
  const held = { days: null, hold: true };
  await chat.channels.setRetention("room_1", held);
  const { erasure_id, erased } = await chat.privacy.erase({ user_id: "gone", messages: "keep" });
  expect(erased).not.toHaveProperty("held");
  await finish();
  const waiting = { status: "running", erased: { messages: 0, held: 0 } };
  expect(await chat.privacy.get(erasure_id)).toMatchObject(waiting);
  await chat.channels.setRetention("room_1", { ...held, hold: false });
  await finish();
  const done = await chat.privacy.get(erasure_id);
  expect(done.status).toBe("done");
  expect(done.erased).not.toHaveProperty("held");
});

test("an erasure is repeated on a backup, although the process that began it had a slow clock", async () => {
  const backup = await startServer();
  const create = { body: { user_id: "late", name: "Late" } };
  for (const { url } of [backup, server])
    expect(await call(url, "POST", "/v1/users", create)).toMatchObject({ status: 201 });
  const slow = await startServerOn(server.databaseUrl, { now: () => Date.now() - 3_600_000 });
  const body = { user_id: "late", messages: "erase" };
  await call(slow.url, "POST", "/v1/privacy/erasures", { body });
  await finish();
  // The other database stands for a backup that is older than the erasure.
  for (const erasure of await listAllErasures(server.db))
    await repeatErasure(backup.db, { ...erasure, messages: "erase" });
  await finishErasures(backup.db);
  expect(await call(backup.url, "GET", "/v1/users/late")).toMatchObject({ status: 404 });
  await slow.close();
  await backup.close();
});

test("a running server goes on with an erasure when a hold ends", async () => {
  const running = await startServer({ hasBackgroundTasks: true });
  const client = new ChatClient({ baseUrl: running.url, apiKey: masterKey });
  await client.users.create({ user_id: "gone", name: "Kim" });
  await client.channels.create({ channel_id: "room_1", name: "Room", members: ["gone"] });
  await client.messages.send("room_1", { user_id: "gone", type: "text", content: "held" });
  await client.channels.setRetention("room_1", { days: null, hold: true });
  const { erasure_id } = await client.privacy.erase({ user_id: "gone", messages: "erase" });
  const read = async () => {
    const { status, erased } = await client.privacy.get(erasure_id);
    return [status, erased.messages, erased.held];
  };
  // Less than the time after which a process looks by itself whether the hold has ended.
  const soon = { timeout: 20_000 };
  await expect.poll(read, soon).toEqual(["running", 0, 1]);
  await client.channels.setRetention("room_1", { days: null, hold: false });
  await expect.poll(read, soon).toEqual(["done", 1, undefined]);
  await running.close();
});
