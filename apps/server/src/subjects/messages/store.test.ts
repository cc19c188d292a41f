import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer, startServerOn, type TestServer } from "../../../test/support/server";
import { batchMessages } from "./batch";

const clocks = { first: 0, second: 0 };
let first: TestServer;
let second: TestServer;
let channel = "";
let round = 0;
beforeAll(async () => {
  first = await startServer({ now: () => clocks.first });
  second = await startServerOn(first.databaseUrl, { now: () => clocks.second });
  await call(first.url, "POST", "/v1/users", { body: { user_id: "sender", name: "Sender" } });
});
afterAll(async () => {
  await second.close();
  await first.close();
});
beforeEach(async () => {
  Object.assign(clocks, { first: 5_000, second: 1_000 });
  channel = `clock_${round++}`;
  const body = { channel_id: channel, name: "Clock", members: ["sender"] };
  await call(first.url, "POST", "/v1/group/channels", { body });
});

async function send({ url }: TestServer, content: string): Promise<number> {
  const path = `/v1/group/channels/${channel}/messages`;
  const { status, body } = await call(url, "POST", path, {
    body: { user_id: "sender", type: "text", content },
  });
  expect(status).toBe(201);
  return body.created_at;
}

async function exportContents(): Promise<string[]> {
  const path = `/v1/exports/group/channels/${channel}/messages`;
  const { body } = await call(first.url, "GET", path);
  return body.messages.map(({ content }: { content: string }) => content);
}

test("a message is never older than an earlier one, even if the clock goes back", async () => {
  expect(await send(first, "one")).toBe(5_000);
  clocks.first = 2_000;
  expect(await send(first, "two")).toBe(5_000);
  clocks.first = 6_000;
  expect(await send(first, "three")).toBe(6_000);
  expect(await exportContents()).toEqual(["three", "two", "one"]);
});

test("two processes with different clocks keep the order of messages", async () => {
  for (const [server, content] of [
    [first, "one"],
    [second, "two"],
    [first, "three"],
    [second, "four"],
  ] as const)
    expect(await send(server, content)).toBe(5_000);
  expect(await exportContents()).toEqual(["four", "three", "two", "one"]);
});

test("a message after a user joined is unread, although the clock that stored it is behind", async () => {
  await call(first.url, "POST", "/v1/users", { body: { user_id: channel, name: "Reader" } });
  clocks.first = 9_000;
  const joined = await call(first.url, "PUT", `/v1/group/channels/${channel}/join`, {
    body: { member: channel },
  });
  expect(joined.status).toBe(200);
  expect(await send(second, "one")).toBe(9_000);
  const { body } = await call(first.url, "GET", `/v1/users/${channel}/unread`);
  expect(body.unread_count).toBe(1);
});

test("messages in one batch keep their order of arrival, even if the clock goes back", async () => {
  const sendBatched = batchMessages(second.db, () => clocks.second--);
  const contents = Array.from({ length: 150 }, (_, index) => `message ${index}`);
  const message = { channelId: channel, senderId: "sender", file: null, meta: {} };
  const sent = await Promise.all(contents.map((content) => sendBatched({ ...message, content })));
  expect(new Set(sent.map(({ sentAt }) => sentAt))).toEqual(new Set([5_000]));
  expect(await exportContents()).toEqual(contents.toReversed().slice(0, 100));
});
