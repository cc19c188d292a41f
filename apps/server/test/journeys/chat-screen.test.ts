import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listUserChannels } from "../../src/modules/inbox/store";
import { newest } from "../../src/paging/position";
import { call, type Sent } from "../support/call";
import { isDistributed } from "../support/citus";
import { startServer, type TestServer } from "../support/server";

const start = 1_700_000_000_000;
let server: TestServer;
let clock = start;
let channelCount = 0;
let channelId: string;
beforeAll(async () => {
  server = await startServer({ now: () => clock });
  for (const user_id of ["kim_01", "lee_02", "park_03"])
    await send("POST", "/v1/users", { body: { user_id, name: user_id } });
});
afterAll(() => server.close());
beforeEach(async () => {
  clock += 1_000;
  channelId = await createChannel(["kim_01", "lee_02"]);
});

/** Sends a request that must succeed. */
async function send(method: string, path: string, sent: Sent = {}) {
  const reply = await call(server.url, method, path, sent);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

async function createChannel(members: readonly string[]): Promise<string> {
  const channel_id = `room_${channelCount++}`;
  await send("POST", "/v1/group/channels", { body: { channel_id, name: "Lunch", members, reuse: false } });
  return channel_id;
}

const messagesOf = (channel = channelId) => `/v1/group/channels/${channel}/messages`;
const list = (query = "", channel = channelId) => send("GET", `${messagesOf(channel)}?${query}`);
const exportOf = (channel: string) => send("GET", `/v1/exports/group/channels/${channel}/messages`);
const contents = (page: { messages: { content: string }[] }) => page.messages.map(({ content }) => content);

/** Sends texts, all in the same millisecond, and returns their ids. */
async function say(
  user_id: string,
  texts: readonly (string | number)[],
  channel = channelId,
): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    const body = { user_id, type: "text", content: String(text) };
    ids.push((await send("POST", messagesOf(channel), { body })).message_id);
  }
  return ids;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("the messages of a channel", () => {
  test("are listed newest first, and every page has cursors for older and newer messages", async () => {
    await say("kim_01", upTo(5));
    const newest = await list("limit=2");
    expect(contents(newest)).toEqual(["5", "4"]);
    const middle = await list(`next=${newest.next}`);
    expect(contents(middle)).toEqual(["3", "2"]);
    const last = await list(`next=${middle.next}`);
    expect([contents(last), last.next]).toEqual([["1"], undefined]);
    const upwards = await list(`next=${last.newer}`);
    expect(contents(upwards)).toEqual(["3", "2"]);
    expect(contents(await list(`next=${upwards.newer}`))).toEqual(["5", "4"]);
    expect(contents(await list(`next=${upwards.next}`))).toEqual(["1"]);
  });

  test("that are sent later are found with newer, also from an empty channel", async () => {
    const empty = await list();
    expect([empty.messages, empty.next]).toEqual([[], undefined]);
    const still = await list(`next=${empty.newer}`);
    expect([still.messages, still.next]).toEqual([[], undefined]);
    await say("kim_01", upTo(3));
    const caughtUp = await list(`next=${still.newer}`);
    expect(contents(caughtUp)).toEqual(["3", "2", "1"]);
    const nothing = await list(`next=${caughtUp.newer}`);
    expect(nothing.messages).toEqual([]);
    expect(contents(await list(`next=${nothing.next}`))).toEqual(["3", "2", "1"]);
  });

  test("a page before, after or around a message leads on in both directions", async () => {
    const [, , third = "", , fifth = ""] = await say("kim_01", upTo(7));
    const before = await list(`limit=2&before=${third}`);
    expect([contents(before), before.next]).toEqual([["2", "1"], undefined]);
    const after = await list(`limit=2&after=${third}`);
    expect(contents(after)).toEqual(["5", "4"]);
    expect(contents(await list(`next=${after.next}`))).toEqual(["3", "2"]);
    const around = await list(`limit=3&around=${fifth}`);
    expect(contents(around)).toEqual(["6", "5", "4"]);
    expect(contents(await list(`next=${around.next}`))).toEqual(["3", "2", "1"]);
    expect(contents(await list(`next=${around.newer}`))).toEqual(["7"]);
    expect(contents(await list(`limit=1&around=${fifth}`))).toEqual(["5"]);
  });

  test("before the oldest one are an empty page, whose newer leads to the oldest", async () => {
    const [oldest = ""] = await say("kim_01", upTo(3));
    const before = await list(`before=${oldest}`);
    expect([before.messages, before.next]).toEqual([[], undefined]);
    expect(contents(await list(`next=${before.newer}`))).toEqual(["3", "2", "1"]);
  });

  test("a deleted message still marks its position as before, after or around", async () => {
    const ids = await say("kim_01", upTo(5));
    const third = ids[2] ?? "";
    await send("DELETE", `${messagesOf()}/${third}`);
    expect(contents(await list(`before=${third}`))).toEqual(["2", "1"]);
    expect(contents(await list(`after=${third}`))).toEqual(["5", "4"]);
    expect(contents(await list(`limit=4&around=${third}`))).toEqual(["5", "4", "2", "1"]);
    expect(contents(await list())).toEqual(["5", "4", "2", "1"]);
    expect(await send("GET", `/v1/group/channels/${channelId}`)).toMatchObject({ total_message_count: 5 });
  });

  test("a cursor belongs to its channel, not to the channel id, and to its query", async () => {
    await say("kim_01", upTo(3));
    const page = await list("limit=2");
    const other = await createChannel(["kim_01"]);
    const reply = await call(server.url, "GET", `${messagesOf(other)}?next=${page.next}`);
    expect([reply.status, reply.body.code]).toEqual([400, "invalid_cursor"]);
    const differs = await call(server.url, "GET", `${messagesOf()}?next=${page.next}&limit=3`);
    expect([differs.status, differs.body.code]).toEqual([400, "invalid_request"]);
    expect(contents(await list(`next=${page.next}&limit=2`))).toEqual(["1"]);
    await send("DELETE", `/v1/group/channels/${channelId}`);
    await send("POST", "/v1/group/channels", {
      body: { channel_id: channelId, name: "Again", members: [], reuse: false },
    });
    for (const cursor of [page.next, page.newer]) {
      const again = await call(server.url, "GET", `${messagesOf()}?next=${cursor}`);
      expect([again.status, again.body.code]).toEqual([400, "invalid_cursor"]);
    }
  });

  test("the cursor of a list of ids belongs to its channel, not to the channel id", async () => {
    const ids = upTo(6);
    const sendAll = async (content: string) => {
      for (const id of ids)
        await send("POST", messagesOf(), {
          body: { user_id: "kim_01", type: "text", content, external_id: `id-${id}` },
        });
    };
    // Four of them are a page.
    await sendAll("😀".repeat(65_536));
    const page = await list(`external_ids=${ids.map((id) => `id-${id}`).join()}`);
    expect(page.messages).toHaveLength(4);
    await send("DELETE", `/v1/group/channels/${channelId}`);
    await send("POST", "/v1/group/channels", {
      body: { channel_id: channelId, name: "Again", members: ["kim_01"], reuse: false },
    });
    await sendAll("Again");
    const again = await call(server.url, "GET", `${messagesOf()}?next=${page.next}`);
    expect([again.status, again.body.code]).toEqual([400, "invalid_cursor"]);
  });
});

describe("an edit", () => {
  test("replaces the fields that were sent, is visible everywhere, and always increases updated_at", async () => {
    const body = { user_id: "kim_01", type: "text", content: "first", meta: { a: "1" } };
    const sent = await send("POST", messagesOf(), { body });
    const path = `${messagesOf()}/${sent.message_id}`;
    const edited = await send("PUT", path, { body: { content: "second" } });
    const editedAt = sent.updated_at + 1;
    expect(edited).toEqual({ ...sent, content: "second", updated_at: editedAt, edited_at: editedAt });
    clock += 500;
    const again = await send("PUT", path, { body: { meta: {} } });
    expect(again).toEqual({ ...edited, meta: {}, updated_at: clock });
    expect(await send("GET", path)).toEqual(again);
    expect((await list()).messages).toEqual([again]);
    expect((await send("GET", `/v1/exports/group/channels/${channelId}/messages`)).messages).toEqual([again]);
    const inbox = await send("GET", "/v1/users/lee_02/channels");
    expect(inbox.channels[0].last_message).toEqual(again);
  });

  test("of a file message can change only its metadata, also in a frozen channel", async () => {
    const file = { type: "image/png", name: "a.png", url: "https://example.com/a.png", size: 1 };
    const sent = await send("POST", messagesOf(), { body: { user_id: "kim_01", type: "file", file } });
    await send("PUT", `/v1/group/channels/${channelId}/freeze`, { body: { freeze: true } });
    const path = `${messagesOf()}/${sent.message_id}`;
    const rejected = await call(server.url, "PUT", path, { body: { content: "text", meta: { b: "2" } } });
    expect(rejected).toMatchObject({ status: 400, body: { errors: [{ in: "body", path: "content" }] } });
    expect(await send("PUT", path, { body: { meta: { b: "2" } } })).toMatchObject({ file, meta: { b: "2" } });
  });
});

describe("a deleted message", () => {
  test("is removed from every list", async () => {
    const [first = "", second = ""] = await say("kim_01", ["one", "two"]);
    await send("DELETE", `${messagesOf()}/${second}`);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: { content: "three" } } : {};
      const reply = await call(server.url, method, `${messagesOf()}/${second}`, body);
      expect([method, reply.status, reply.body.code]).toEqual([method, 404, "message_not_found"]);
    }
    expect((await list()).messages).toHaveLength(1);
    expect((await send("GET", `/v1/exports/group/channels/${channelId}/messages`)).messages).toHaveLength(1);
    const inbox = await send("GET", "/v1/users/lee_02/channels");
    expect(inbox.channels[0]).toMatchObject({ unread_count: 1, last_message: { message_id: first } });
  });

  test("leaves no content in any table or stored response", async () => {
    const secret = "swordfish-4711";
    const body = { user_id: "kim_01", type: "text", content: secret, meta: { code: secret } };
    const sent = await send("POST", messagesOf(), { body, idempotencyKey: `send-${channelId}` });
    const path = `${messagesOf()}/${sent.message_id}`;
    const change = { content: `${secret} again` };
    await send("PUT", path, { body: change, idempotencyKey: `edit-${channelId}` });
    expect(await readTables()).toContain(secret);
    await send("DELETE", path);
    expect(await readTables()).not.toContain(secret);
    const replay = await call(server.url, "PUT", path, { body: change, idempotencyKey: `edit-${channelId}` });
    expect([replay.status, replay.body.code]).toEqual([404, "message_not_found"]);
    expect(JSON.stringify(replay.body)).not.toContain(secret);
    expect(JSON.stringify(await exportOf(channelId))).not.toContain(secret);
  });

  test("leaves nothing of its file either", async () => {
    const secret = "swordfish-4712";
    const file = { type: "image/png", name: secret, url: `https://example.com/${secret}`, size: 1 };
    const body = { user_id: "kim_01", type: "file", file };
    const sent = await send("POST", messagesOf(), { body, idempotencyKey: `send-file-${channelId}` });
    expect(JSON.stringify(await exportOf(channelId))).toContain(secret);
    expect(await readTables()).toContain(secret);
    await send("DELETE", `${messagesOf()}/${sent.message_id}`, {
      idempotencyKey: `delete-file-${channelId}`,
    });
    expect(await readTables()).not.toContain(secret);
    expect(JSON.stringify(await exportOf(channelId))).not.toContain(secret);
  });

  test("a repeated edit takes effect once, and responds with the current message", async () => {
    const [id = ""] = await say("kim_01", ["before"]);
    const edit = { body: { content: "after" }, idempotencyKey: `edit-once-${channelId}` };
    await send("PUT", `${messagesOf()}/${id}`, edit);
    const latest = await send("PUT", `${messagesOf()}/${id}`, { body: { content: "later" } });
    const replay = await call(server.url, "PUT", `${messagesOf()}/${id}`, edit);
    expect(replay).toMatchObject({ status: 200, body: latest });
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  });
});

describe("the inbox of a user", () => {
  const inboxOf = (user: string, query = "") => send("GET", `/v1/users/${user}/channels?${query}`);
  const ids = (page: { channels: { channel_id: string }[] }) => page.channels.map((one) => one.channel_id);

  test("lists channels by last activity, which a deletion reverts", async () => {
    await send("POST", "/v1/users", { body: { user_id: `user_${channelId}`, name: "User" } });
    const user = `user_${channelId}`;
    const channels: string[] = [];
    for (const _ of upTo(6)) {
      clock += 10;
      channels.push(await createChannel([user, "kim_01"]));
    }
    const [first = "", second = "", ...others] = channels;
    expect(ids(await inboxOf(user))).toEqual(channels.toReversed());
    clock += 10;
    await say("kim_01", ["hello"], second);
    clock += 10;
    const [, last = ""] = await say("kim_01", ["one", "two"], first);
    expect(ids(await inboxOf(user))).toEqual([first, second, ...others.toReversed()]);
    await send("DELETE", `${messagesOf(first)}/${last}`);
    expect(ids(await inboxOf(user))).toEqual([first, second, ...others.toReversed()]);
    const [one = ""] = (await list("", first)).messages.map(
      (each: { message_id: string }) => each.message_id,
    );
    await send("DELETE", `${messagesOf(first)}/${one}`);
    expect(ids(await inboxOf(user))).toEqual([second, ...others.toReversed(), first]);

    const page = await inboxOf(user, "limit=5");
    expect(ids(page)).toEqual([second, ...others.toReversed()]);
    const rest = await inboxOf(user, `next=${page.next}`);
    expect([ids(rest), rest.next]).toEqual([[first], undefined]);
    expect(rest.channels[0]).not.toHaveProperty("last_message");
  });

  test("ends a page after a megabyte, also of channels that are named, and continues in their order", async () => {
    const user = `user_${channelId}`;
    await send("POST", "/v1/users", { body: { user_id: user, name: "User" } });
    const channels: string[] = [];
    for (const _ of upTo(8)) channels.push(await createChannel([user, "kim_01"]));
    // Four of them have a megabyte.
    for (const channel of channels) {
      clock += 10;
      await say("kim_01", ["😀".repeat(65_536)], channel);
    }
    const [first = "", ...others] = channels;
    const named = [...others, "room_unknown", first];
    const page = await inboxOf(user, `channel_ids=${named.join()}&members=true`);
    expect(ids(page)).toEqual(others.slice(0, 4));
    // Nothing more is read, but one that shows that there is more. On Citus, each schema reads a page.
    const inbox = { filter: "inbox" as const, hasMembers: true, before: newest, count: named.length };
    for (const query of [{ ...inbox, channelIds: named }, inbox])
      if (!isDistributed) expect((await listUserChannels(server.db, user, query)).channels).toHaveLength(5);
    const rest = await inboxOf(user, `next=${page.next}`);
    expect([ids(rest), rest.next]).toEqual([[...others.slice(4), first], undefined]);
    expect(rest.channels[0].members).toHaveLength(2);

    const listed = await inboxOf(user);
    expect(ids(listed)).toEqual(channels.toReversed().slice(0, 4));
  });

  test("counts messages of others since the user joined, up to 100, also in the same millisecond", async () => {
    await say("kim_01", upTo(3));
    await send("PUT", `/v1/group/channels/${channelId}/join`, { body: { member: "park_03" } });
    const unreadOf = async (user: string) =>
      (await inboxOf(user, "limit=30")).channels.find(
        (one: { channel_id: string }) => one.channel_id === channelId,
      ).unread_count;
    expect(await unreadOf("park_03")).toBe(0);
    await say("kim_01", ["a"]);
    await say("park_03", ["b"]);
    await say("lee_02", ["c"]);
    expect(await unreadOf("park_03")).toBe(2);
    expect(await unreadOf("kim_01")).toBe(2);
    await say("lee_02", upTo(99));
    expect(await unreadOf("park_03")).toBe(100);
    expect(await unreadOf("lee_02")).toBe(5);
  });
});

describe("a read mark", () => {
  const mark = (user: string, body?: object) =>
    send("PUT", `/v1/group/channels/${channelId}/members/${user}/read`, body && { body });

  test("never moves back, and later messages are counted", async () => {
    expect(await mark("lee_02")).toEqual({ unread_count: 0 });
    const sent = await say("kim_01", upTo(5));
    expect(await mark("lee_02", { message_id: sent[2] })).toEqual({
      unread_count: 2,
      read_message_id: sent[2],
    });
    expect(await mark("lee_02", { message_id: sent[0] })).toEqual({
      unread_count: 2,
      read_message_id: sent[2],
    });
    await send("DELETE", `${messagesOf()}/${sent[3]}`);
    expect(await mark("lee_02", { message_id: sent[3] })).toMatchObject({ unread_count: 1 });
    expect(await mark("lee_02", {})).toEqual({ unread_count: 0, read_message_id: sent[4] });
    await say("kim_01", ["more"]);
    expect(await mark("lee_02", { message_id: sent[4] })).toMatchObject({ unread_count: 1 });
  });

  test("does not mark future messages", async () => {
    const [only] = await say("kim_01", ["one"]);
    const path = `/v1/group/channels/${channelId}/members/lee_02/read`;
    const reply = await call(server.url, "PUT", path, { body: { message_id: "999999999999999-1" } });
    expect([reply.status, reply.body.code]).toEqual([404, "message_not_found"]);
    expect(await mark("lee_02")).toEqual({ unread_count: 0, read_message_id: only });
    await say("kim_01", ["two"]);
    expect(await mark("lee_02", { message_id: only })).toMatchObject({ unread_count: 1 });
  });

  test("ends with the membership", async () => {
    const [only] = await say("kim_01", ["one"]);
    await mark("lee_02");
    await send("PUT", `/v1/group/channels/${channelId}/leave`, { body: { member: "lee_02" } });
    const reply = await call(server.url, "PUT", `/v1/group/channels/${channelId}/members/lee_02/read`);
    expect([reply.status, reply.body.code]).toEqual([403, "not_a_participant"]);
    await send("PUT", `/v1/group/channels/${channelId}/join`, { body: { member: "lee_02" } });
    expect(await mark("lee_02", { message_id: only })).toEqual({ unread_count: 0 });
  });

  test("the total is the sum over all channels", async () => {
    const user_id = `sum_${channelId}`;
    await send("POST", "/v1/users", { body: { user_id, name: "Sum" } });
    expect(await send("GET", `/v1/users/${user_id}/unread`)).toEqual({
      unread_count: 0,
      channel_count: 0,
      quiet_unread_count: 0,
    });
    const [one = "", two = "", three = ""] = [
      await createChannel([user_id, "kim_01"]),
      await createChannel([user_id, "kim_01"]),
      await createChannel([user_id, "kim_01"]),
    ];
    await say("kim_01", upTo(3), one);
    await say("kim_01", upTo(101), two);
    await say(user_id, upTo(2), three);
    expect(await send("GET", `/v1/users/${user_id}/unread`)).toEqual({
      unread_count: 103,
      channel_count: 2,
      quiet_unread_count: 0,
    });
  });
});

/** All rows, as text, of the tables that may contain a message, including results of idempotency keys. */
async function readTables(): Promise<string> {
  const ofSchemas = {
    name: "test.read-tables",
    text: `SELECT row::text FROM messages AS row UNION ALL SELECT row::text FROM channels AS row
      UNION ALL SELECT row::text FROM members AS row UNION ALL SELECT row::text FROM events AS row
      UNION ALL SELECT row::text FROM idempotency_keys AS row`,
  };
  const others = {
    name: "test.read-other-tables",
    text: "SELECT row::text FROM idempotency_keys AS row UNION ALL SELECT row::text FROM events AS row",
  };
  const parts = server.db.schemas().map((schema) => schema.query<{ row: string }>(ofSchemas));
  const rows = (await Promise.all([...parts, server.db.query<{ row: string }>(others)])).flat();
  return rows.map(({ row }) => row).join("\n");
}
