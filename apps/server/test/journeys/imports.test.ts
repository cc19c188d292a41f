import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { call, type Sent } from "../support/call";
import { masterKey, startServer, type TestServer } from "../support/server";

const start = 1_700_000_000_000;
let server: TestServer;
let clock = start;
let rooms = 0;
let room: string;
beforeAll(async () => {
  server = await startServer({ now: () => clock });
  for (const user_id of ["kim_01", "lee_02"])
    await send("POST", "/v1/users", { body: { user_id, name: user_id } });
});
afterAll(() => server.close());
beforeEach(async () => {
  clock += 1_000;
  room = `room_${rooms++}`;
  const body = { channel_id: room, name: "Room", members: ["kim_01", "lee_02"], reuse: false };
  await send("POST", "/v1/group/channels", { body });
});

/** A request that must succeed. */
async function send(method: string, path: string, sent: Sent = {}) {
  const reply = await call(server.url, method, path, sent);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const channel = (rest = "") => `/v1/group/channels/${room}${rest}`;
const importPath = () => `/v1/imports/group/channels/${room}/messages`;
const exported = () => send("GET", `/v1/exports/group/channels/${room}/messages`);
const list = (query = "") => send("GET", channel(`/messages?${query}`));
const say = (content: string) =>
  send("POST", channel("/messages"), { body: { user_id: "lee_02", type: "text", content } });
const contents = (page: { messages: { content: string }[] }) => page.messages.map(({ content }) => content);
const unread = async () => (await send("GET", "/v1/users/kim_01/channels")).channels[0].unread_count;

const text = (content: string, created_at: number, more: object = {}) => ({
  user_id: "lee_02",
  type: "text",
  content,
  created_at,
  ...more,
});
const load = (...messages: readonly object[]) => send("POST", importPath(), { body: { messages } });

test("imported messages have their own times, and those of one millisecond the order of the request", async () => {
  await say("now");
  await load(text("b", 2_000), text("a", 1_000), text("c", 2_000));
  await load(text("d", 2_000));
  expect(contents(await exported())).toEqual(["now", "d", "c", "b", "a"]);
  expect(contents(await list())).toEqual(["now", "d", "c", "b", "a"]);
  const [, , , , oldest] = (await exported()).messages;
  expect(oldest).toMatchObject({ created_at: 1_000, updated_at: 1_000, meta: {} });
});

test("an imported message shows its external_id wherever it is read, and a sent one none", async () => {
  await load(text("imported", 1_000, { external_id: 'm-"1"', meta: { a: "1" } }));
  await say("sent");
  const [sent, imported] = (await exported()).messages;
  expect(imported).toMatchObject({ external_id: 'm-"1"', meta: { a: "1" } });
  expect(sent).not.toHaveProperty("external_id");
  expect((await list()).messages).toEqual([sent, imported]);
  const path = channel(`/messages/${imported.message_id}`);
  expect(await send("GET", path)).toEqual(imported);
  expect(await send("PUT", path, { body: { content: "edited" } })).toMatchObject({ external_id: 'm-"1"' });
});

test("both totals count what was imported, and not what was skipped", async () => {
  const file = { type: "image/png", name: "a.png", url: "https://example.com/a.png", size: 1 };
  const picture = { user_id: "kim_01", type: "file", file, created_at: 5, external_id: "f" };
  await say("sent");
  expect(await load(picture, text("t", 6, { external_id: "t" }))).toEqual({ imported: 2, skipped: 0 });
  expect(await load(picture, text("t", 6, { external_id: "t" }))).toEqual({ imported: 0, skipped: 2 });
  expect(await send("GET", channel())).toMatchObject({ total_message_count: 3, total_file_count: 1 });
});

test("nothing of a request is stored when one of its messages is rejected", async () => {
  const messages = Array.from({ length: 20 }, (_, index) => text(`${index}`, index));
  const wrong = [
    { ...messages[17], content: "" },
    { ...messages[17], user_id: "nobody" },
    { ...messages[17], created_at: clock + 1 },
  ];
  for (const one of wrong) {
    const body = { messages: [...messages.slice(0, 17), one, ...messages.slice(18)] };
    const reply = await call(server.url, "POST", importPath(), { body });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.body.detail).toContain("messages.17.");
    expect(reply.body.errors[0].path).toMatch(/^messages\.17\./);
  }
  expect((await exported()).messages).toEqual([]);
  expect(await send("GET", channel())).toMatchObject({ total_message_count: 0 });
});

test("a large import may arrive in pieces as small as the packets of a slow network", async () => {
  const messages = Array.from({ length: 500 }, (_, index) => text("x".repeat(15_000), index));
  const bytes = Buffer.from(JSON.stringify({ messages }));
  const packetBytes = 1_448;
  const pieces = Array.from({ length: Math.ceil(bytes.length / packetBytes) }, (_, index) =>
    bytes.subarray(index * packetBytes, (index + 1) * packetBytes),
  );
  const response = await fetch(server.url + importPath(), {
    method: "POST",
    headers: { Authorization: `Bearer ${masterKey}`, "Content-Type": "application/json" },
    body: ReadableStream.from(pieces),
    duplex: "half",
  });
  expect([response.status, await response.json()]).toEqual([200, { imported: 500, skipped: 0 }]);
});

test("messages from before joining or before the read mark are not unread; those after it are", async () => {
  await load(text("before joining", clock - 500));
  expect(await unread()).toBe(0);
  const joinedAt = clock;
  clock += 100;
  await load(text("after joining", joinedAt + 50), text("at joining", joinedAt));
  expect(await unread()).toBe(2);
  await say("read");
  await send("PUT", channel("/members/kim_01/read"));
  clock += 100;
  await load(text("before the mark", clock - 150), text("after the mark", clock - 50));
  expect(await unread()).toBe(1);
});

test("the last message and the place in the inbox follow the times of the messages", async () => {
  const inbox = async () => (await send("GET", "/v1/users/kim_01/channels")).channels[0];
  clock += 100;
  await load(text("old", 1_000));
  expect(await inbox()).not.toMatchObject({ channel_id: room });
  await say("newest");
  await load(text("older", clock - 1));
  expect(await inbox()).toMatchObject({ channel_id: room, last_message: { content: "newest" } });
  const [newest] = (await list()).messages;
  await send("DELETE", channel(`/messages/${newest.message_id}`));
  expect(await inbox()).toMatchObject({ last_message: { content: "older" } });
  await load(text("oldest", 500));
  expect(await inbox()).toMatchObject({ last_message: { content: "older" } });
  await load(text("newer again", clock));
  expect(await inbox()).toMatchObject({ channel_id: room, last_message: { content: "newer again" } });
});

test("a reader that follows newer sees imported messages that are newer, and no older ones", async () => {
  await say("seen");
  const { newer } = await list();
  const seenAt = clock;
  clock += 100;
  await load(text("older", seenAt - 1), text("same time", seenAt), text("newer", seenAt + 50));
  await say("sent");
  const page = await list(`next=${newer}`);
  expect(contents(page)).toEqual(["sent", "newer", "same time"]);
  expect((await list(`next=${page.newer}`)).messages).toEqual([]);
});

test("a request emits one event with the number of stored messages, and none when it stored none", async () => {
  const { next } = await send("GET", "/v1/events?after=latest");
  const message = text("a", 1, { external_id: "a" });
  await load(message, text("b", 2));
  await load(message);
  const { events } = await send("GET", `/v1/events?after=${next}`);
  expect(events).toEqual([
    expect.objectContaining({
      type: "messages.imported",
      channel_id: room,
      data: { channel_id: room, channel: expect.objectContaining({ total_message_count: 2 }), imported: 2 },
    }),
  ]);
});

test("messages of nobody are imported with the sender ~deleted, whom no other request can name", async () => {
  const ofNobody = [
    { ...text("first", 1), user_id: "~deleted", external_id: "first" },
    { ...text("second", 2), reply_to: "first" },
    { ...text("third", 3), user_id: "~deleted" },
  ];
  const expected = ["third", "second", "first"];
  await send("POST", importPath(), { body: { messages: ofNobody } });
  for (const page of [await list(), await exported()]) {
    expect(contents(page)).toEqual(expected);
    expect(page.messages[2]).toMatchObject({
      type: "text",
      user: { user_id: "~deleted", name: "Deleted user" },
    });
  }
  const body = { user_id: "~deleted", type: "text", content: "Hello" };
  for (const [path, sent] of [
    [channel("/messages"), body],
    ["/v1/users", { user_id: "~deleted", name: "Name" }],
    ["/v1/privacy/erasures", { user_id: "~deleted", messages: "erase" }],
  ] as const)
    expect(await call(server.url, "POST", path, { body: sent })).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
});
