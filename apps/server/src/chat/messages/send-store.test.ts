import { afterAll, beforeEach, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer, startServerOn, type TestServer } from "../../../test/support/server";
import { countWaiting, untilBlocking } from "../../../test/support/until-blocking";
import type { Statement } from "../../db/db";
import { openWriter } from "../../write/writer";
import type { CheckedText } from "../checks";
import { sendMessage, storeMessages } from "./send-store";

const clocks = { first: 0, second: 0 };
let channel = "";
let round = 0;
const first = await startServer({ now: () => clocks.first });
const second = await startServerOn(first.databaseUrl, { now: () => clocks.second });
await call(first.url, "POST", "/v1/users", { body: { user_id: "sender", name: "Sender" } });
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

/** The fields of a plain text that are empty. */
/** As if the checks had passed it. */
const asChecked = (text: string) => text as CheckedText;

const withoutOthers = {
  isStreaming: false,
  externalId: null,
  file: null,
  parts: null,
  meta: {},
  replyTo: null,
  mentions: null,
  fileIds: null,
  isReplaced: false,
  addToMessage: undefined,
};

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
  const writer = openWriter(second.db, {});
  const contents = Array.from({ length: 150 }, (_, index) => `message ${index}`);
  const message = {
    channelId: channel,
    senderId: "sender",
    file: null,
    meta: {},
    replyTo: null,
    externalId: null,
    parts: null,
    isStreaming: false,
    mentions: null,
    fileIds: null,
    isReplaced: false,
    addToMessage: undefined,
  };
  const sent = await Promise.all(
    contents.map((content) =>
      sendMessage(writer, { ...message, content: asChecked(content) }, clocks.second--),
    ),
  );
  expect(new Set(sent.map(({ sentAt }) => sentAt))).toEqual(new Set([5_000]));
  expect(await exportContents()).toEqual(contents.toReversed().slice(0, 100));
});

test.each([
  ["left the channel", "PUT", "leave", { member: "sender" }],
  ["was removed as the manager of a frozen channel", "DELETE", "managers", { manager: "sender" }],
])("a message that waits for the channel while its sender %s is rejected", async (_, method, name, body) => {
  const path = `/v1/group/channels/${channel}`;
  if (name === "managers") {
    await call(first.url, "POST", `${path}/managers`, { body });
    await call(first.url, "PUT", `${path}/leave`, { body: { member: "sender" } });
    await call(first.url, "PUT", `${path}/freeze`, { body: { freeze: true } });
  }
  const message = { channelId: channel, senderId: "sender", content: asChecked("late"), ...withoutOthers };
  const { ended, sent, batch } = await first.db.transaction(async (tx) => {
    const lock = `SELECT 1 FROM channels WHERE channel_id = '${channel}' FOR UPDATE`;
    await tx.query({ name: `test.lock ${channel}`, text: lock });
    const ended = call(first.url, method, `${path}/${name}`, { body });
    await untilBlocking((text) => tx.query({ name: "test.blocking", text }));
    // Their statements begin before the role ends, so their snapshots have it.
    const sent = call(first.url, "POST", `${path}/messages`, {
      body: { user_id: "sender", type: "text", content: "late" },
    });
    const batch = storeMessages(second.db, [message, message], 5_000);
    await expect.poll(() => countWaiting(first.db)).toBe(3);
    return { ended, sent, batch };
  });
  expect((await ended).status).toBe(200);
  expect((await sent).body).toMatchObject({ code: "not_a_participant" });
  expect(await batch).toEqual([undefined, undefined]);
});

test("a batch looks up the role of a sender only in the channel of its message", async () => {
  const server = await startServer();
  const post = (path: string, body: object) => call(server.url, "POST", path, { body });
  const ids = Array.from({ length: 30 }, (_, index) => `room_${index}`);
  for (const id of ids) {
    await post("/v1/users", { user_id: id, name: "User" });
    await post("/v1/group/channels", { channel_id: id, name: "Room", members: [id] });
  }
  const plain = { content: asChecked("Hi"), ...withoutOthers };
  const batch = ids.map((id) => ({ ...plain, channelId: id, senderId: id }));
  const lookups = await server.db.transaction(async (tx) => {
    const [before] = await tx.query(countLookups);
    expect((await storeMessages(tx, batch, 5_000)).filter((sent) => sent !== undefined)).toHaveLength(30);
    const [after] = await tx.query(countLookups);
    return Number(after?.count) - Number(before?.count);
  });
  // PostgreSQL reads so small a table at once if it has just analyzed it.
  expect(lookups).toBeGreaterThan(0);
  expect(lookups).toBeLessThanOrEqual(30);
  await server.close();
});

const countLookups: Statement<{ count: number }> = {
  name: "test.count-lookups",
  text: "SELECT idx_scan AS count FROM pg_stat_xact_user_tables WHERE relname = 'members'",
};

test("a send writes its message, its event and one version of its channel, for any number of participants", async () => {
  const server = await startServer();
  const post = (path: string, body: object, idempotencyKey?: string) =>
    call(server.url, "POST", path, { body, ...(idempotencyKey && { idempotencyKey }) });
  const members = Array.from({ length: 20 }, (_, index) => `user_${index}`);
  for (const user_id of members) await post("/v1/users", { user_id, name: "User" });
  await post("/v1/group/channels", { channel_id: "room", name: "Room", members });
  const message = { user_id: "user_0", type: "text", content: "Hi" };
  for (let index = 0; index < 10; index += 1)
    expect((await post("/v1/group/channels/room/messages", message)).status).toBe(201);
  for (let index = 0; index < 5; index += 1)
    expect((await post("/v1/group/channels/room/messages", message, `key-${index}`)).status).toBe(201);
  // PostgreSQL updates its statistics some time after a write.
  await expect
    .poll(() => countWrites(server))
    .toEqual({
      users: [20, 0, 0],
      channels: [1, 15, 0],
      members: [20, 0, 0],
      messages: [15, 0, 0],
      events: [20 + 1 + 20 + 15, 0, 0],
      idempotency_keys: [5, 0, 0],
      // Creating a user is audited by default, sending is not.
      audit_entries: [20, 0, 0],
    });
  await server.close();
});

/** The inserts, updates and deletes of each table, except those at the start of a server and those of background jobs. */
async function countWrites({ db }: TestServer): Promise<Record<string, number[]>> {
  const rows = await db.query(writes, [["_prisma_migrations", "secrets", "event_ranges"]]);
  return Object.fromEntries(rows.map(({ table, ...counts }) => [table, Object.values(counts)]));
}

const writes: Statement<{ table: string; inserted: number; updated: number; deleted: number }> = {
  name: "test.count-writes",
  text: `SELECT relname AS table, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_del AS deleted
    FROM pg_stat_user_tables WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 AND relname <> ALL ($1::text[])`,
};
