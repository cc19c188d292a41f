import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Checks, checkUnavailable } from "../../src/chat/checks";
import { interruptMessages, messagesPerStep } from "../../src/modules/streaming/end-store";
import { chatWith } from "../support/chat";
import { checksOf } from "../support/checks";
import { openLiveStream } from "../support/live-stream";
import { createToken } from "../support/replay";
import { startServer, startServerOn, type TestServer } from "../support/server";

let first: TestServer;
let second: TestServer;
let chat: ReturnType<typeof chatWith>;
let other: ReturnType<typeof chatWith>;
let room = "";
let rooms = 0;
beforeAll(async () => {
  first = await startServer({ settings: { MADANG_AUDIT: "all" } });
  second = await startServerOn(first.databaseUrl);
  chat = chatWith(first);
  other = chatWith(second);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.users.create({ user_id: "lee_02", name: "Lee" });
  // A start waits for that at most a second. What is appended earlier reaches streams with the next append.
  const listening = {
    name: "test.listening",
    text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'madang events'
      AND query LIKE 'LISTEN%' AND state = 'idle'`,
  };
  await vi.waitFor(async () => expect(await first.db.query(listening)).toHaveLength(2), 30_000);
});
afterAll(async () => {
  await second.close();
  await first.close();
});
beforeEach(async () => {
  room = `room_${++rooms}`;
  await chat.channels.create({
    channel_id: room,
    name: "Lunch",
    members: ["kim_01", "lee_02"],
    reuse: false,
  });
});

const begin = async (fields: object = {}) =>
  (await chat.messages.send(room, { user_id: "kim_01", type: "text", streaming: true, ...fields }))
    .message_id;
/** The types of the events of the room, those that come without a stream included. */
const listTypes = async () =>
  (await chat.events.list({ channel_id: room, pageSize: 500 })).events.map(({ type }) => type);
const query = () => `live=true&after=latest&channel_id=${room}`;

test("streams of every process get what is appended, and the feed gets the beginning and the end", async () => {
  const streams = await Promise.all([first, second].map(({ url }) => openLiveStream(url, query())));
  const id = await begin({ content: "See " });
  await chat.messages.append(room, id, { index: 0, content: "you " });
  await other.messages.append(room, id, { index: 1, content: "at " });
  await chat.messages.append(room, id, { index: 2, content: "noon." });
  for (const { events } of streams) {
    const contents = () =>
      events.flatMap(({ event }) => (event.type === "message.appended" ? event.data.contents : []));
    await expect.poll(contents).toEqual(["you ", "at ", "noon."]);
  }
  expect(await other.messages.get(room, id)).toMatchObject({
    content: "See you at noon.",
    state: "streaming",
    append_count: 3,
  });
  const ended = await other.messages.finish(room, id, { state: "done" });
  expect(ended).toMatchObject({ content: "See you at noon." });
  expect(ended).not.toHaveProperty("state");
  expect(ended).not.toHaveProperty("append_count");
  for (const { events, close } of streams) {
    await expect.poll(() => events.map(({ event }) => event.type)).toContain("message.updated");
    const live = events.filter(({ event }) => event.type === "message.appended");
    expect(live.every((each) => each.id === undefined)).toBe(true);
    close();
  }
  expect((await listTypes()).slice(-2)).toEqual(["message.created", "message.updated"]);
});

test("a stream that is not live gets no appends and no signals, and one that names types only these", async () => {
  const plain = await openLiveStream(first.url, `after=latest&channel_id=${room}`);
  const signals = await openLiveStream(second.url, `${query()}&types=signal`);
  const id = await begin();
  await chat.messages.append(room, id, { index: 0, content: "Hi" });
  await chat.signals.send(room, { user_id: "lee_02", type: "typing", data: { of: ["김"] } });
  await chat.messages.finish(room, id, { state: "done" });
  await expect.poll(() => plain.events.length).toBe(2);
  await expect.poll(() => signals.events.length).toBe(1);
  expect(signals.events[0]?.event).toEqual({
    type: "signal",
    channel_id: room,
    user_id: "lee_02",
    created_at: expect.any(Number),
    data: { type: "typing", data: { of: ["김"] } },
  });
  expect(plain.events.map(({ event }) => event.type)).toEqual(["message.created", "message.updated"]);
  plain.close();
  signals.close();
});

test("a user gets what is appended and signals of its own channels, and nothing more once it has left", async () => {
  await chat.users.create({ user_id: "stranger_99", name: "Stranger" });
  const open = async (server: TestServer, user: string) =>
    openLiveStream(server.url, "live=true&after=latest", undefined, await createToken(server.url, user));
  const [lee, stranger] = await Promise.all([open(first, "lee_02"), open(second, "stranger_99")]);
  const textOf = ({ events }: typeof lee) =>
    events.flatMap(({ event }) => (event.type === "message.appended" ? event.data.contents : [])).join("");
  const signalsOf = ({ events }: typeof lee) => events.filter(({ event }) => event.type === "signal").length;
  const id = await begin();
  // Its channels are loaded when it has its first event.
  await expect.poll(() => lee.events.length).toBeGreaterThan(0);
  await other.messages.append(room, id, { index: 0, content: "one " });
  await chat.signals.send(room, { user_id: "kim_01", type: "typing" });
  await expect.poll(() => [textOf(lee), signalsOf(lee)]).toEqual(["one ", 1]);
  await chat.channels.members.leave(room, "lee_02");
  // The event of the leave is the last one of the channel for a user.
  await expect.poll(() => lee.events.some(({ event }) => event.type === "member.left")).toBe(true);
  const all = await openLiveStream(first.url, query());
  await other.messages.append(room, id, { index: 1, content: "two " });
  await chat.signals.send(room, { user_id: "kim_01", type: "typing" });
  await expect.poll(() => [textOf(all), signalsOf(all)]).toEqual(["two ", 1]);
  expect([textOf(lee), signalsOf(lee)]).toEqual(["one ", 1]);
  expect(stranger.events).toEqual([]);
  for (const { close } of [lee, stranger, all]) close();
});

test("types of live events need live=true", async () => {
  await expect(openLiveStream(first.url, "types=signal")).rejects.toThrow("need live=true");
  await expect(openLiveStream(first.url, "live=yes")).rejects.toThrow("live");
});

test("a message counts as unread from its beginning, and is the last message with the text so far", async () => {
  const id = await begin({ content: "See " });
  await chat.messages.append(room, id, { index: 0, content: "you" });
  const [line] = await chat.users.channels("lee_02", { channel_ids: [room] }).toArray();
  expect(line).toMatchObject({
    unread_count: 1,
    last_message: { content: "See you", state: "streaming", append_count: 1 },
  });
  for await (const exported of chat.exports.messages(room))
    expect(exported).toMatchObject({ content: "See you" });
  const records = await chat.privacy.export("kim_01").firstPage();
  expect(JSON.stringify(records)).toContain("See you");
});

test("a search finds a message by its text and the names of its files only after its end", async () => {
  const file = { user_id: "kim_01", name: "menu.png", type: "image/png" };
  const { file_id } = await chat.files.upload(room, Buffer.from("PNG"), file);
  const id = await begin({ content: "beginning", attachments: [{ file_id }] });
  await chat.messages.append(room, id, { index: 0, content: " and appended" });
  const find = async (q: string) => (await chat.messages.search(room, { q }).toArray()).length;
  expect(await find("beginning")).toBe(0);
  expect(await find("appended")).toBe(0);
  expect(await find("menu")).toBe(0);
  // Without a term, what a user wrote includes it.
  const written = await chat.users.messages("kim_01").firstPage();
  expect(written.items[0]).toMatchObject({ message_id: id, content: "beginning and appended" });
  await chat.messages.finish(room, id, { state: "done" });
  expect(await find("beginning")).toBe(1);
  expect(await find("ing and app")).toBe(1);
  expect(await find("menu")).toBe(1);
});

describe("a message whose writer has stopped", () => {
  const expire = async (id: string, ms: number) => {
    const [, pk] = id.split("-");
    const text = "UPDATE message_chunks SET created_at = created_at - $2 WHERE message_pk = $1 RETURNING 1";
    for (const schema of first.db.schemas())
      await schema.query({ name: "test.expire", text }, [Number(pk), ms]);
  };

  test("ends as interrupted after 60 seconds, and an edit completes it", async () => {
    const id = await begin({ content: "See " });
    await chat.messages.append(room, id, { index: 0, content: "you" });
    await expire(id, 50_000);
    await interruptMessages(first.db, checksOf(first.db), Date.now());
    expect(await chat.messages.get(room, id)).toMatchObject({ state: "streaming" });
    await expire(id, 11_000);
    await interruptMessages(first.db, checksOf(first.db), Date.now());
    const interrupted = await chat.messages.get(room, id);
    expect(interrupted).toMatchObject({ state: "interrupted", content: "See you" });
    expect(interrupted).not.toHaveProperty("append_count");
    await expect(chat.messages.append(room, id, { index: 1, content: "!" })).rejects.toMatchObject({
      code: "message_not_streaming",
    });
    await expect(chat.messages.finish(room, id, { state: "done" })).rejects.toMatchObject({
      code: "message_not_streaming",
    });
    expect(await chat.messages.update(room, id, { meta: { a: "1" } })).toMatchObject({
      state: "interrupted",
    });
    expect(await chat.messages.update(room, id, { content: "See you at noon." })).not.toHaveProperty("state");
    const types = await listTypes();
    expect(types.filter((type) => type === "message.updated")).toHaveLength(3);
  });

  test("goes on while it gets appends, and in a deleted channel is left alone", async () => {
    const id = await begin();
    await expire(id, 70_000);
    await chat.messages.append(room, id, { index: 0, content: "Hi" });
    await interruptMessages(first.db, checksOf(first.db), Date.now());
    expect(await chat.messages.get(room, id)).toMatchObject({ state: "streaming" });
    await expire(id, 70_000);
    await chat.channels.delete(room);
    expect(await interruptMessages(first.db, checksOf(first.db), Date.now())).toBe(false);
  });

  test("ends although more messages than a step takes, begun before, cannot be checked", async () => {
    const others = await Promise.all(Array.from({ length: messagesPerStep }, () => begin({ content: "No" })));
    const id = await begin({ content: "See you" });
    for (const each of [...others, id]) await expire(each, 70_000);
    const checks = checksOf(first.db);
    const unavailable: Checks = {
      ...checks,
      pass: async (writer, checkable, draft) => {
        if ((await checkable.readStored?.()) === "No") throw checkUnavailable(1);
        return checks.pass(writer, checkable, draft);
      },
    };
    // A step takes each of them with a probability of 100 of 101.
    for (let step = 0; step < 5; step += 1)
      await expect(interruptMessages(first.db, unavailable, Date.now())).rejects.toMatchObject({
        code: "check_unavailable",
      });
    expect(await chat.messages.get(room, id)).toMatchObject({ state: "interrupted", content: "See you" });
    await interruptMessages(first.db, checks, Date.now());
  });
});

test("a cancelled message stays cancelled after an edit", async () => {
  const id = await begin({ content: "See" });
  await chat.messages.finish(room, id, { state: "cancelled" });
  expect(await chat.messages.update(room, id, { content: "Bye" })).toMatchObject({ state: "cancelled" });
});

test("the log of MADANG_AUDIT=all has the beginning, each append and the end, with the sender", async () => {
  const id = await begin();
  await chat.messages.append(room, id, { index: 0, content: "Hi" });
  await chat.messages.append(room, id, { index: 0, content: "Hi" });
  await chat.messages.finish(room, id, { state: "done" });
  await chat.signals.send(room, { user_id: "kim_01", type: "typing" });
  const entries = await chat.audit.list({ channel_id: room }).toArray();
  const about = entries.map(({ operation, user_id, message_id }) => [operation, user_id, message_id]);
  expect(about.toReversed().slice(1)).toEqual([
    ["messages.send", "kim_01", id],
    ["messages.append", "kim_01", id],
    ["messages.append", undefined, id],
    ["messages.finish", "kim_01", id],
  ]);
  expect(JSON.stringify(entries)).not.toContain("Hi");
});

test("a message has at most 50 appends a second, on all processes together, and one that was late catches up", async () => {
  const id = await begin();
  /** Where the writer is: so many milliseconds before or after where one with 50 appends a second would be. */
  const setLead = async (ms: number) => {
    const text = `UPDATE message_chunks SET due_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $2
      WHERE message_pk = $1 RETURNING 1`;
    await first.db.channel(room).query({ name: "test.set-lead", text }, [Number(id.split("-")[1]), ms]);
  };
  const append = (at: ReturnType<typeof chatWith>, index: number) =>
    at.messages.append(room, id, { index, content: `${index} ` });
  for (let index = 0; index < 50; index++) await append(index % 2 === 0 ? chat : other, index);
  await setLead(60_000);
  await expect(append(other, 50)).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 1_000 });
  // The last one, sent again, is none.
  expect(await append(chat, 49)).toEqual({ append_count: 50 });
  const another = await begin();
  await chat.messages.append(room, another, { index: 0, content: "Hi" });
  await setLead(-60_000);
  expect(await append(other, 50)).toEqual({ append_count: 51 });
});

test("a channel and a sender have at most 20 signals a second, on all processes together", async () => {
  const stream = await openLiveStream(second.url, query());
  const send = (at: ReturnType<typeof chatWith>, user_id?: string) =>
    at.signals.send(room, { type: "typing", ...(user_id !== undefined && { user_id }) });
  const sendTen = () => Promise.all(Array.from({ length: 10 }, () => send(chat, "kim_01")));
  const sendEleven = () => Promise.allSettled(Array.from({ length: 11 }, () => send(other, "kim_01")));
  let received = 0;
  let rejected: PromiseSettledResult<void>[] = [];
  // On a busy machine they may take longer than a second: then nothing is rejected, and they are sent again.
  await expect
    .poll(
      async () => {
        await sleep(1_100);
        await sendTen();
        await expect.poll(() => stream.events.length).toBe(received + 10);
        const results = await sendEleven();
        rejected = results.filter(({ status }) => status === "rejected");
        received += 21 - rejected.length;
        return rejected.length;
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  expect(rejected[0]).toMatchObject({ reason: { code: "rate_limited", retryAfterMs: 1_000 } });
  // Others are not affected.
  await send(other, "lee_02");
  await send(other);
  await expect.poll(() => stream.events.length).toBe(received + 2);
  stream.close();
});
