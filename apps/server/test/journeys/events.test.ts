import { once } from "node:events";
import { connect } from "node:net";
import { ChatClient, type ReceivedEvent } from "@madang/client";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { sweepExpiredEvents } from "../../src/modules/events/store";
import { createSweeper } from "../../src/modules/retention/sweep-store";
import { countUsage } from "../../src/modules/usage/store";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { finishErasures } from "../support/erasures";
import { indexAll } from "../support/index-all";
import { masterKey, startServer } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";
import { createUsers } from "../support/users";

const server = await startServer();
const chat = chatWith(server);
await createUsers(chat, ["kim_01", "park_03", "lee_02"]);
afterAll(() => server.close());

/** The types of the events of some work. */
async function eventsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { next } = await chat.events.list({ after: "latest" });
  await work();
  const { events } = await chat.events.list({ after: next, pageSize: 500 });
  return events.map(({ type }) => type);
}

const text = { user_id: "kim_01", type: "text", content: "Hello" } as const;
const room = { channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_03"] };

test("the queue counts changes until they are in the feed", async () => {
  const unfollowed = await startServer();
  const { events } = chatWith(unfollowed);
  let round = 0;
  // Events without followers get into the feed once a second.
  await expect
    .poll(async () => {
      round += 1;
      await createUsers(chatWith(unfollowed), [`kim_${round}`, `park_${round}`]);
      return events.queue();
    })
    .toEqual({ event_count: 2, lag_ms: expect.toSatisfy((ms) => ms > 0) });
  await events.list({ after: "latest" });
  expect(await events.queue()).toEqual({ event_count: 0, lag_ms: 0 });
  await unfollowed.close();
});

test("every change emits its events, and what changes nothing emits none", async () => {
  const changes: [name: string, work: () => Promise<unknown>, expected: string[]][] = [
    ["create a user", () => chat.users.create({ user_id: "temp_1", name: "Temp" }), ["user.created"]],
    ["update a user", () => chat.users.update("temp_1", { name: "Temporary" }), ["user.updated"]],
    ["merge metadata", () => chat.users.meta.merge("temp_1", { team: "blue" }), ["user.updated"]],
    ["merge the same metadata", () => chat.users.meta.merge("temp_1", { team: "blue" }), []],
    ["delete metadata", () => chat.users.meta.delete("temp_1", ["team"]), ["user.updated"]],
    ["delete absent metadata", () => chat.users.meta.delete("temp_1", ["team"]), []],
    [
      "create a channel",
      () => chat.channels.create(room),
      ["channel.created", "member.joined", "member.joined"],
    ],
    [
      "find a channel to reuse",
      () => chat.channels.create({ ...room, channel_id: "room_2", reuse: true }),
      [],
    ],
    ["update a channel", () => chat.channels.update("room_1", { name: "Noon" }), ["channel.updated"]],
    ["freeze", () => chat.channels.freeze("room_1", true), ["channel.updated"]],
    ["freeze again", () => chat.channels.freeze("room_1", true), []],
    ["unfreeze", () => chat.channels.freeze("room_1", false), ["channel.updated"]],
    ["join", () => chat.channels.members.join("room_1", "temp_1"), ["member.joined"]],
    ["join again", () => chat.channels.members.join("room_1", "temp_1"), []],
    ["leave", () => chat.channels.members.leave("room_1", "temp_1"), ["member.left"]],
    ["leave again", () => chat.channels.members.leave("room_1", "temp_1"), []],
    ["add a manager", () => chat.channels.managers.add("room_1", "lee_02"), ["manager.added"]],
    ["add a manager again", () => chat.channels.managers.add("room_1", "lee_02"), []],
    ["remove a manager", () => chat.channels.managers.remove("room_1", "lee_02"), ["manager.removed"]],
    [
      "remove a manager again",
      () => chat.channels.managers.remove("room_1", "lee_02").catch(() => undefined),
      [],
    ],
    ["send", () => chat.messages.send("room_1", text), ["message.created"]],
    ["read", () => chat.channels.members.markRead("room_1", "park_03"), ["member.read"]],
    ["read again", () => chat.channels.members.markRead("room_1", "park_03"), []],
    [
      "edit and delete",
      async () => {
        const { message_id } = await chat.messages.send("room_1", text);
        await chat.messages.update("room_1", message_id, { content: "Edited" });
        await chat.messages.delete("room_1", message_id);
      },
      ["message.created", "message.updated", "message.deleted"],
    ],
    ["delete a channel", () => chat.channels.delete("room_1"), ["channel.deleted"]],
    ["be rejected", () => chat.channels.update("room_1", { name: "Noon" }).catch(() => undefined), []],
  ];
  for (const [name, work, expected] of changes)
    expect([name, await eventsOf(work)]).toEqual([name, expected]);
});

test("messages that are stored in one batch have their events in the order of arrival", async () => {
  await chat.channels.create({ ...room, channel_id: "batch_1" });
  const { next } = await chat.events.list({ after: "latest" });
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      chat.messages.send("batch_1", { ...text, content: String(index) }),
    ),
  );
  const { events } = await chat.events.list({ after: next, pageSize: 500 });
  const order = sent.map(({ message_id }) => message_id).sort((one, other) => keyOf(one) - keyOf(other));
  expect(events.map(({ data }) => "message_id" in data && data.message_id)).toEqual(order);
});

const keyOf = (messageId: string) => Number(messageId.split("-")[1]);

test("deleting a user ends each of its roles with an event", async () => {
  await chat.users.create({ user_id: "gone_1", name: "Gone" });
  for (const channel_id of ["gone_a", "gone_b"])
    await chat.channels.create({ channel_id, name: "Room", members: ["gone_1"] });
  await chat.channels.managers.add("gone_a", "gone_1");
  const types = await eventsOf(async () => {
    await chat.users.delete("gone_1");
    while (await sweepDeletedUsers(server.db));
  });
  expect(types[0]).toBe("user.deleted");
  expect(types.slice(1).sort()).toEqual(["manager.removed", "member.left", "member.left"]);
});

test("the roles of a deleted user end before a new user with its id gets one", async () => {
  const { next } = await chat.events.list({ after: "latest" });
  await createUsers(chat, ["again_1", "again_2", "again_3"]);
  await chat.channels.create({ ...room, channel_id: "again_a", members: ["again_1", "again_2"] });
  await chat.channels.managers.add("again_a", "again_3");
  for (const id of ["again_1", "again_2", "again_3"]) {
    await chat.users.delete(id);
    await chat.users.create({ user_id: id, name: "Again" });
  }
  await chat.channels.members.join("again_a", "again_1");
  await chat.channels.members.addMany("again_a", ["again_2"]);
  await chat.channels.managers.add("again_a", "again_3");
  while (await sweepDeletedUsers(server.db));

  const mirror = { member: new Set<string>(), manager: new Set<string>() };
  const { events } = await chat.events.list({ after: next, channel_id: "again_a" });
  for (const event of events) {
    const { type } = event;
    const id = "user_id" in event ? event.user_id : undefined;
    if (id === undefined) continue;
    if (type === "member.joined") mirror.member.add(id);
    if (type === "member.left") mirror.member.delete(id);
    if (type === "manager.added") mirror.manager.add(id);
    if (type === "manager.removed") mirror.manager.delete(id);
  }
  const idsOf = (entries: readonly { user_id: string }[]) => new Set(entries.map(({ user_id }) => user_id));
  expect(mirror.member).toEqual(idsOf(await chat.channels.members.list("again_a")));
  expect(mirror.manager).toEqual(idsOf(await chat.channels.managers.list("again_a")));
  expect([...mirror.member, ...mirror.manager].sort()).toEqual(["again_1", "again_2", "again_3"]);
});

test("what ends with a channel comes before its deletion", async () => {
  await chat.users.create({ user_id: "gone_2", name: "Gone" });
  await chat.channels.create({ channel_id: "gone_c", name: "Room", members: ["gone_2"] });
  const types = await eventsOf(async () => {
    await chat.users.delete("gone_2");
    await chat.channels.delete("gone_c");
    while (await sweepDeletedUsers(server.db));
  });
  expect(types).toEqual(["user.deleted", "member.left", "channel.deleted"]);
});

/** Takes `count` events of a loop. */
async function take(events: AsyncIterable<ReceivedEvent>, count: number): Promise<ReceivedEvent[]> {
  const taken: ReceivedEvent[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}

const contents = (events: readonly ReceivedEvent[]) =>
  events.map(
    (event) =>
      event.type === "message.created" && event.data.message?.type === "text" && event.data.message.content,
  );

test("a page has the events of large messages whose channel is deleted", async () => {
  await chat.channels.create({ ...room, channel_id: "large_1" });
  const content = "가".repeat(8_000);
  const types = await eventsOf(async () => {
    for (let count = 0; count < 60; count++) await chat.messages.send("large_1", { ...text, content });
    await chat.channels.delete("large_1");
  });
  expect(types).toEqual([...Array(60).fill("message.created"), "channel.deleted"]);
});

test("a listener whose connection breaks again and again gets every event once and in order", async () => {
  await chat.channels.create({ ...room, channel_id: "cut_1" });
  const { next: after } = await chat.events.list({ after: "latest" });
  let connections = 0;
  const unreliable = new ChatClient({
    baseUrl: server.url,
    apiKey: masterKey,
    async fetch(url, init) {
      const response = await fetch(url, init as RequestInit);
      connections++;
      return url.includes("/stream") ? cutAfter(response, 3_000 + connections * 500) : response;
    },
  });
  const listening = take(
    unreliable.events.listen({ after, channel_id: "cut_1", types: ["message.created"] }),
    60,
  );
  for (let index = 0; index < 60; index++)
    await chat.messages.send("cut_1", { ...text, content: String(index) });
  expect(contents(await listening)).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
  expect(connections).toBeGreaterThan(2);
});

/** A response that breaks after so many bytes, when they have been read. */
function cutAfter({ body, status, headers }: Response, bytes: number): Response {
  async function* cut(source: ReadableStream<Uint8Array>) {
    let left = bytes;
    for await (const chunk of source) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) throw new Error("cut");
    }
  }
  return new Response(body && ReadableStream.from(cut(body)), { status, headers });
}

test("a listener continues after the cursor of the event that it took last", async () => {
  await chat.channels.create({ ...room, channel_id: "resume_1" });
  const { next: after } = await chat.events.list({ after: "latest" });
  for (const content of ["one", "two", "three"]) await chat.messages.send("resume_1", { ...text, content });
  const [first] = await take(chat.events.listen({ after }), 1);
  expect(contents(await take(chat.events.listen({ after: first?.cursor }), 2))).toEqual(["two", "three"]);
  const listed = await chat.events.list({ after: first?.cursor });
  expect(contents(listed.events.map((event) => ({ ...event, cursor: "" })))).toEqual(["two", "three"]);
});

test("a listener replaces a rejected key and reports each attempt to open its stream", async () => {
  const { next: after } = await chat.events.list({ after: "latest" });
  await chat.channels.create({ ...room, channel_id: "renewed_1" });
  const attempts: string[] = [];
  const renewing = new ChatClient({
    baseUrl: server.url,
    apiKey: ({ refresh }) => (refresh ? masterKey : "mk_deleted_long_ago"),
    onResponse: ({ url, attempt, status }) => {
      attempts.push(`${attempt}: ${status} ${url.slice(server.url.length, url.indexOf("?"))}`);
    },
    onRetry: ({ reason }) => attempts.push(reason),
  });
  await take(renewing.events.listen({ after }), 1);
  expect(attempts).toEqual(["1: 401 /v1/events/stream", "key rejected", "2: 200 /v1/events/stream"]);
});

test("aborting the signal ends the loop, without an error", async () => {
  const controller = new AbortController();
  const listening = take(chat.events.listen({ after: "latest", signal: controller.signal }), 1);
  setTimeout(() => controller.abort(), 100);
  expect(await listening).toEqual([]);
  // Also beforehand.
  expect(await take(chat.events.listen({ signal: AbortSignal.abort() }), 1)).toEqual([]);
});

test("an invalid cursor ends the loop with an error", async () => {
  await expect(take(chat.events.listen({ after: "forged" }), 1)).rejects.toMatchObject({
    code: "invalid_cursor",
    operation: "events.listen",
    message: expect.stringMatching(/^events\.listen: .*The cursor in after is not from this list\./),
  });
});

test("a stream ends when its key is deleted", async () => {
  const { key } = await chat.keys.create();
  const response = await openStream(key);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  await chat.keys.delete(key);
  // It ends by itself.
  expect(await response.text()).toMatch(/^id: \S+\n\n/);
});

test("a stream ends when its client closes its side of the connection", async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const path = "/v1/events/stream?after=latest";
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${masterKey}\r\n\r\n`);
  await once(socket, "data");
  socket.resume().end();
  await once(socket, "close");
});

test("HEAD gets the headers of a stream and no stream", async () => {
  const headers = { Authorization: `Bearer ${masterKey}` };
  const response = await fetch(`${server.url}/v1/events/stream`, { method: "HEAD", headers });
  expect([response.status, await response.text()]).toEqual([200, ""]);
  expect((await call(server.url, "POST", "/v1/events/stream")).status).toBe(405);
});

const openStream = (key = masterKey) =>
  fetch(`${server.url}/v1/events/stream?after=latest`, { headers: { Authorization: `Bearer ${key}` } });

test("a waiting request responds when an event happens", async () => {
  const { next } = await chat.events.list({ after: "latest" });
  const waiting = chat.events.list({ after: next, wait: 20 });
  await chat.users.create({ user_id: "awaited_1", name: "Awaited" });
  expect((await waiting).events.map(({ type }) => type)).toEqual(["user.created"]);
});

const secret = "only for a while";

test.each<[what: string, show: () => Promise<unknown>, hide: () => Promise<unknown>]>([
  [
    "a deleted message",
    () => chat.messages.send("hidden_1", { ...text, content: secret }),
    async () => {
      const { items } = await chat.messages.list("hidden_1").firstPage();
      for (const { message_id } of items) await chat.messages.delete("hidden_1", message_id);
    },
  ],
  [
    "an erased user",
    async () => {
      await chat.users.create({ user_id: "erased_1", name: secret });
      await chat.channels.members.join("hidden_1", "erased_1");
      await chat.messages.send("hidden_1", { ...text, user_id: "erased_1", content: secret });
    },
    async () => {
      const { erasure_id } = await chat.privacy.erase({ user_id: "erased_1", messages: "erase" });
      await finishErasures(server.db);
      expect(await chat.privacy.get(erasure_id)).toMatchObject({ status: "done" });
    },
  ],
  [
    "an expired message",
    async () => {
      const created_at = Date.now() - 40 * 86_400_000;
      await chat.imports.messages("hidden_1", [{ ...text, created_at }]);
      const { items } = await chat.messages.list("hidden_1").firstPage();
      for (const { message_id } of items)
        await chat.messages.update("hidden_1", message_id, { content: secret });
    },
    async () => {
      await chat.channels.setRetention("hidden_1", { days: 30, hold: false });
      const step = createSweeper(server.db, undefined);
      while (await step());
    },
  ],
])("%s is not read back from the feed while a stream is open", async (_what, show, hide) => {
  await chat.channels.create({ ...room, channel_id: "hidden_1" });
  onTestFinished(() => chat.channels.delete("hidden_1"));
  const { next: after } = await chat.events.list({ after: "latest" });
  const listening = new AbortController();
  const received: string[] = [];
  const listen = async () => {
    for await (const event of chat.events.listen({ after, signal: listening.signal }))
      received.push(JSON.stringify(event));
  };
  const listened = listen();
  await show();
  await expect.poll(() => received.join()).toContain(secret);
  await hide();
  const { events } = await chat.events.list({ after });
  await expect.poll(() => received).toHaveLength(events.length);
  const waited = await chat.events.list({ after, wait: 1 });
  const streamed = await take(chat.events.listen({ after }), events.length);
  listening.abort();
  await listened;
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(waited.events).toEqual(events);
  expect(streamed.map(({ cursor: _, ...event }) => event)).toEqual(events);
});

/** A retention that makes every event old. */
const inFuture = -60_000;

test("old events stay until every consumer has read them, except webhooks and builds of the search index", async () => {
  const { next: after } = await chat.events.list({ after: "latest" });
  await chat.users.create({ user_id: "unread_1", name: "Unread" });
  await chat.events.list({ after });
  await chat.users.create({ user_id: "unread_2", name: "Unread" });
  await chat.events.list({ after: "latest" });
  await indexAll(server.db);
  while ((await countUsage(server.db)) === true);
  const run = (text: string) => server.db.query({ name: `test.${text}`.slice(0, 60), text });
  const sweep = async () => {
    while (await sweepExpiredEvents(server.db, inFuture));
    const swept = await chat.events.list({ after }).catch(({ code }) => code);
    return swept === "events_expired";
  };
  await run(
    "INSERT INTO consumers (name, position) VALUES ('wh_behind', 0), ('search build 9', 0), ('later', 0)",
  );
  expect(await sweep()).toBe(false);
  await run("DELETE FROM consumers WHERE name = 'later'");
  expect(await sweep()).toBe(true);
  await run("DELETE FROM consumers WHERE name IN ('wh_behind', 'search build 9')");
});

test("when old events are removed, cursors before them expire and later ones continue", async () => {
  const { next: expired } = await chat.events.list({ after: "latest" });
  await chat.users.create({ user_id: "swept_1", name: "Swept" });
  await chat.events.list({ after: expired });
  await chat.users.create({ user_id: "swept_2", name: "Swept" });
  const { next: kept } = await chat.events.list({ after: "latest" });
  await indexAll(server.db);
  while ((await countUsage(server.db)) === true);
  while (await sweepExpiredEvents(server.db, inFuture));
  await chat.users.create({ user_id: "swept_3", name: "Swept" });
  const userIds = (events: readonly object[]) => events.map((event) => "user_id" in event && event.user_id);
  expect(userIds((await chat.events.list({ after: kept })).events)).toEqual(["swept_3"]);
  expect(userIds((await chat.events.list()).events).at(-1)).toBe("swept_3");
  const expiration = { code: "events_expired" };
  await expect(chat.events.list({ after: expired })).rejects.toMatchObject(expiration);
  await expect(take(chat.events.listen({ after: expired }), 1)).rejects.toMatchObject(expiration);
});
