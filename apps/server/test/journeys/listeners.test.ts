import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { isLong } from "../support/report";
import { readMetrics, startServer, startServerOn, type TestServer } from "../support/server";

/** How often each statement ran. */
const counts = new Map<string, number>();
const countOf = (statement: string) => counts.get(statement) ?? 0;
let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer({
    onStatement: (name) => void counts.set(name, countOf(name) + 1),
    settings: { MADANG_METRICS_PORT: "0" },
  });
  chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
});
afterAll(() => server.close());

const say = (content: string) => chat.messages.send("room_1", { user_id: "kim_01", type: "text", content });
const wait = (query: string, key?: string) =>
  call(server.url, "GET", `/v1/events?${query}`, { ...(key && { key }) });
const latest = async () => (await chat.events.list({ after: "latest" })).next;

test("lists that wait for other events read nothing when an event happens", async () => {
  const after = await latest();
  const polls = Array.from({ length: 40 }, () => wait(`after=${after}&wait=25&channel_id=quiet_room`));
  await expect.poll(() => readMetrics(server)).toContain('madang_resource_in_use{resource="streams"} 40\n');
  // Until none of them reads any more.
  const countReads = async () => {
    const count = countOf("events.read");
    await sleep(200);
    return countOf("events.read") - count;
  };
  await expect.poll(countReads).toBe(0);
  const before = countOf("events.read");
  for (let index = 0; index < 10; index++) {
    await say(`${index}`);
    await sleep(50);
  }
  expect(countOf("events.read") - before).toBeLessThan(40);
  const ended = await wait(`after=${after}&wait=1&channel_id=quiet_room`);
  expect([ended.status, ended.body.events]).toEqual([200, []]);
  // The next list begins after the events that did not match.
  expect(ended.body.next).not.toBe(after);
  await chat.channels.create({ channel_id: "quiet_room", name: "Quiet", members: ["kim_01"] });
  for (const { status, body } of await Promise.all(polls))
    expect([status, body.events[0].type]).toEqual([200, "channel.created"]);
});

test("lists that wait get their events once and in order, also those that happen between two lists", async () => {
  let after = await latest();
  const expected = Array.from({ length: 30 }, (_, index) => `between ${index}`);
  const received: string[] = [];
  const receive = async () => {
    while (received.length < expected.length) {
      const { events, next } = (await wait(`after=${after}&wait=20&limit=2&types=message.created`)).body;
      received.push(...events.map((event: ReturnType<typeof JSON.parse>) => event.data.message.content));
      after = next;
    }
  };
  const receiving = receive();
  for (const content of expected) await say(content);
  await receiving;
  expect(received).toEqual(expected);
});

test("a sub key has at most its number of lists that wait, and the master key still gets one", async () => {
  const { key } = await chat.keys.create();
  const after = await latest();
  const query = `after=${after}&wait=20&channel_id=quiet_room`;
  const polls = Array.from({ length: limits.eventListeners.perSubKey }, () => wait(query, key));
  await expect
    .poll(() => readMetrics(server))
    .toContain(`madang_resource_in_use{resource="streams"} ${polls.length}\n`);
  const rejected = await wait(query, key);
  expect([rejected.status, rejected.body.code]).toEqual([429, "rate_limited"]);
  expect(Number(rejected.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
  const ofMaster = wait(`after=${after}&wait=10&types=message.created`);
  await say("for the master key");
  expect((await ofMaster).body.events).toHaveLength(1);
  await chat.keys.delete(key);
  for (const { status } of await Promise.all(polls)) expect(status).toBe(401);
});

test("while nobody listens, events are numbered at most once per second, and before a list reads them", async () => {
  // Streams and lists that have just ended still count for some seconds.
  const quiet = await startServer({
    onStatement: (name) => name === "events.number" && times.push(Date.now()),
  });
  const times: number[] = [];
  const quietChat = chatWith(quiet);
  const startedAt = Date.now();
  for (let index = 0; index < 60; index++) {
    await quietChat.users.create({ user_id: `user_${index}`, name: "Kim" });
    await sleep(50);
  }
  // One more at the start, and one that may be due.
  expect(times.length).toBeLessThanOrEqual((Date.now() - startedAt) / 1_000 + 2);
  await quietChat.users.create({ user_id: "user_60", name: "Kim" });
  const { events } = await quietChat.events.list({ pageSize: 500 });
  expect(events).toHaveLength(61);
  await quiet.close();
});

test("a process numbers its events at once when another one has a stream", async () => {
  const other = await startServerOn(server.databaseUrl);
  const listening = new AbortController();
  const arrivedAt = new Map<string, number>();
  const after = await latest();
  const listen = async () => {
    for await (const event of chatWith(other).events.listen({ after, signal: listening.signal }))
      if (event.type === "user.created") arrivedAt.set(event.user_id, performance.now());
  };
  const listened = listen().catch(() => undefined);
  await sleep(1_500);
  const delays: number[] = [];
  for (let index = 0; index < 9; index++) {
    const user_id = `awaited_${index}`;
    await chat.users.create({ user_id, name: "Kim" });
    const createdAt = performance.now();
    await expect.poll(() => arrivedAt.has(user_id), { interval: 5 }).toBe(true);
    delays.push((arrivedAt.get(user_id) ?? 0) - createdAt);
    await sleep(130);
  }
  // The other process alone would look once a second.
  const [median = 0] = delays.toSorted((one, next) => one - next).slice(4);
  if (isLong) expect(median).toBeLessThan(300);
  listening.abort();
  await listened;
  await other.close();
});
