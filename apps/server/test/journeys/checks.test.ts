import { afterAll, expect, test } from "vitest";
import type { Checks } from "../../src/chat/checks";
import { interruptMessages } from "../../src/modules/streaming/end-store";
import { call } from "../support/call";
import { checksOf } from "../support/checks";
import { createDatabase } from "../support/database";
import { startServerOn } from "../support/server";
import { countWaiting } from "../support/until-blocking";

const database = await createDatabase();
const servers = await Promise.all([startServerOn(database.url), startServerOn(database.url)]);
const [first, second] = servers;
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

let round = 0;

type Body = Record<string, unknown>;

async function request(method: string, path: string, body?: Body, idempotencyKey?: string, url = first.url) {
  return call(url, method, `/v1${path}`, {
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
}

/** A channel with a participant, and a filter that applies there alone. */
async function createRoom(filter: Body) {
  const [room, kim] = [`room_${round}`, `user_${round++}`];
  await request("POST", "/users", { user_id: kim, name: "Kim" });
  await request("POST", "/group/channels", { channel_id: room, name: "Room", members: [kim] });
  const { body } = await request("POST", "/filters", { label: "Spam", channel_ids: [room], ...filter });
  const path = `/group/channels/${room}`;
  const send = (content: string, key?: string, more: Body = {}, url = first.url) =>
    request("POST", `${path}/messages`, { user_id: kim, type: "text", content, ...more }, key, url);
  return { room, kim, path, filter: `/filters/${body.filter_id}`, filterId: body.filter_id, send };
}

const contents = async (path: string) =>
  (await request("GET", `${path}/messages`)).body.messages.map(({ content }: { content: string }) => content);

test("a filter of one process is in force on another within a second, and so is its deletion", async () => {
  const { send, filter } = await createRoom({ words: ["spam"], action: "reject" });
  await new Promise((done) => setTimeout(done, 1_000));
  expect((await send("spam", undefined, {}, second.url)).status).toBe(422);
  await request("DELETE", filter);
  await new Promise((done) => setTimeout(done, 1_000));
  expect((await send("spam", undefined, {}, second.url)).status).toBe(201);
});

test("a repeated request gets the response of the first, whatever filters there are by then", async () => {
  const { send, path, filter } = await createRoom({ words: ["spam"], action: "mask" });
  const masked = await send("my spam", "first");
  const plain = await send("good", "second");
  expect(masked.body.content).toBe("my ****");
  await request("PUT", filter, { words: ["good", "spam"], action: "reject" });
  expect((await send("my spam", "first")).body).toEqual(masked.body);
  expect((await send("good", "second")).body).toEqual(plain.body);
  await request("DELETE", filter);
  expect((await send("my spam", "first")).body).toEqual(masked.body);
  expect(await contents(path)).toEqual(["good", "my ****"]);
});

test("its own message does not make a repeated request too fast", async () => {
  const { send, path } = await createRoom({ words: ["spam"], action: "reject" });
  await request("PUT", `${path}/slow_mode`, { seconds: 3_600 });
  const sent = await send("Hi", "slow");
  expect(sent.status).toBe(201);
  expect((await send("Hi", "slow")).body).toEqual(sent.body);
  const { status, headers, body } = await send("Hi again");
  expect([status, body.code]).toEqual([429, "slow_mode"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_500);
});

test("of two messages that wait for the channel on two processes, slow mode lets one pass", async () => {
  const { send, path, room } = await createRoom({ words: ["spam"], action: "reject" });
  await request("PUT", `${path}/slow_mode`, { seconds: 3_600 });
  const schema = first.db.channel(room);
  const sends = await schema.transaction(async (tx) => {
    const text = `SELECT 1 FROM channels WHERE channel_id = '${room}' FOR UPDATE`;
    await tx.query({ name: "test.lock-slow", text });
    // Their statements begin while neither is stored.
    const both = [first, second].map(({ url }) => send("Hi", undefined, {}, url));
    await expect.poll(() => countWaiting(schema)).toBe(2);
    return both;
  });
  const statuses = (await Promise.all(sends)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 429]);
});

test("deleting the message, or joining again, is no way around slow mode", async () => {
  const { send, path, kim } = await createRoom({ words: ["spam"], action: "reject" });
  await send("before slow mode began");
  await request("PUT", `${path}/slow_mode`, { seconds: 3_600 });
  const { status, body } = await send("Hi");
  expect(status).toBe(201);
  await request("DELETE", `${path}/messages/${body.message_id}`);
  expect((await send("again")).body.code).toBe("slow_mode");
  await request("PUT", `${path}/leave`, { member: kim });
  await request("PUT", `${path}/join`, { member: kim });
  expect((await send("again")).body.code).toBe("slow_mode");
  // It begins anew.
  await request("PUT", `${path}/slow_mode`, { seconds: 0 });
  await request("PUT", `${path}/slow_mode`, { seconds: 3_600 });
  expect((await send("again")).status).toBe(201);
});

test("a manager of the channel sets slow mode with a token, and sends as often as before", async () => {
  const { path, kim, send } = await createRoom({ words: ["spam"], action: "reject" });
  const { body } = await request("POST", `/users/${kim}/tokens`);
  const set = () =>
    call(first.url, "PUT", `/v1${path}/slow_mode`, { key: body.token, body: { seconds: 60 } });
  expect((await set()).body.code).toBe("not_permitted");
  await request("POST", `${path}/managers`, { manager: kim });
  expect((await set()).body.slow_mode_seconds).toBe(60);
  expect([(await send("one")).status, (await send("two")).status]).toEqual([201, 201]);
});

test("a report is opened for a stored message, by nobody, with the text", async () => {
  const { send, room, path, filterId, kim } = await createRoom({ words: ["spam"], action: "report" });
  const { body } = await send("my spam");
  await request("PUT", `${path}/messages/${body.message_id}`, { content: "more spam" });
  const { reports } = (await request("GET", "/reports?status=open")).body;
  const own = reports.filter((report: Body) => report.channel_id === room);
  expect(own).toMatchObject([
    { message_id: body.message_id, reported_user_id: kim, reported: { content: "more spam" } },
    { message_id: body.message_id, reported_user_id: kim, reported: { content: "my spam" } },
  ]);
  expect(own[0]).not.toHaveProperty("reporter_user_id");
  expect(own[0].reason).toBe(`Found by the filter Spam (${filterId}).`);
});

test("what a message is written by appends is checked with what came before, and again at its end", async () => {
  const { send, path } = await createRoom({ words: ["spam"], action: "reject" });
  const begin = async () => (await send("", undefined, { streaming: true })).body.message_id;
  const append = (id: string, index: number, content: string) =>
    request("POST", `${path}/messages/${id}/append`, { index, content });
  const whole = await begin();
  expect((await append(whole, 0, "sp")).status).toBe(200);
  expect((await append(whole, 1, "am ")).body.code).toBe("message_rejected");
  expect((await append(whole, 1, "aming")).status).toBe(200);
  expect((await request("PUT", `${path}/messages/${whole}/finish`, { state: "done" })).body.content).toBe(
    "spaming",
  );
  const rejected = await begin();
  await append(rejected, 0, "sp");
  await append(rejected, 1, "am");
  const finish = (key: string) =>
    request("PUT", `${path}/messages/${rejected}/finish`, { state: "done" }, key);
  const ended = await finish("finish");
  expect([ended.status, ended.body.check]).toEqual([422, "filter"]);
  const { request_id: _, ...problem } = ended.body;
  expect((await finish("finish")).body).toMatchObject(problem);
  expect((await finish("another")).status).toBe(422);
  const { body } = await request("GET", `${path}/messages/${rejected}`);
  expect(body).toMatchObject({ content: "", state: "cancelled" });
});

/** A message that is being written: its appends divide the word. */
const begin = async (action: string, words = ["spam"]) => {
  const { send, room, path } = await createRoom({ words, action });
  const id = (await send("", undefined, { streaming: true })).body.message_id;
  const append = (index: number, content: string) =>
    request("POST", `${path}/messages/${id}/append`, { index, content });
  await append(0, "my sp");
  await append(1, "am");
  return { room, path: `${path}/messages/${id}`, pk: Number(id.split("-")[1]), append };
};

/** Its writer has stopped for longer than a minute. */
const expire = ({ room, pk }: { room: string; pk: number }) =>
  first.db.channel(room).query(
    {
      name: "test.expire",
      text: "UPDATE message_chunks SET created_at = created_at - 70000 WHERE message_pk = $1",
    },
    [pk],
  );

test("the end of a message is checked however it ends: cancelled by a request, or without its writer", async () => {
  const interrupt = async (message: { room: string; pk: number; path: string }) => {
    await expire(message);
    await interruptMessages(first.db.channel(message.room), checksOf(first.db), Date.now());
    return (await request("GET", message.path)).body;
  };
  expect(await interrupt(await begin("reject"))).toMatchObject({ content: "", state: "cancelled" });
  expect(await interrupt(await begin("mask"))).toMatchObject({ content: "my ****", state: "interrupted" });
  const reported = await begin("report");
  expect(await interrupt(reported)).toMatchObject({ content: "my spam", state: "interrupted" });
  const { reports } = (await request("GET", "/reports?status=open")).body;
  expect(reports.filter((report: Body) => report.channel_id === reported.room)).toHaveLength(1);
  const cancelled = await begin("mask");
  const { body } = await request("PUT", `${cancelled.path}/finish`, { state: "cancelled" });
  expect(body).toMatchObject({ content: "my ****", state: "cancelled" });
  // What is appended after the text was read is not left out: the message goes on.
  const racing = await begin("mask");
  const { pass } = checksOf(first.db);
  const checks: Checks = {
    ...checksOf(first.db),
    async pass(writer, checkable, draft) {
      const passed = await pass(writer, checkable, draft);
      await racing.append(2, " and more");
      return passed;
    },
  };
  await expire(racing);
  await interruptMessages(first.db.channel(racing.room), checks, Date.now());
  expect((await request("GET", racing.path)).body).toMatchObject({ state: "streaming" });
});

test("messages without their writers do not wait for the checks of each other", async () => {
  const messages = [await begin("mask"), await begin("mask")];
  for (const message of messages) await expire(message);
  const { pass } = checksOf(first.db);
  const all = Promise.withResolvers<void>();
  let begun = 0;
  const checks: Checks = {
    ...checksOf(first.db),
    async pass(writer, checkable, draft) {
      begun += 1;
      if (begun === messages.length) all.resolve();
      await all.promise;
      return pass(writer, checkable, draft);
    },
  };
  await interruptMessages(first.db, checks, Date.now());
  for (const { path } of messages)
    expect((await request("GET", path)).body).toMatchObject({ content: "my ****", state: "interrupted" });
});

test("a word that continues with the next append is found, wherever the appends divide it", async () => {
  const { send, path } = await createRoom({ words: ["spam*"], action: "reject" });
  const { message_id: id } = (await send("", undefined, { streaming: true })).body;
  const append = (index: number, content: string) =>
    request("POST", `${path}/messages/${id}/append`, { index, content });
  expect((await append(0, "spam")).status).toBe(200);
  expect((await append(1, "mers are")).body.code).toBe("message_rejected");
});

test.each([
  ["spam", " "],
  ["spam", "!"],
  ["no spam", " today"],
])("after the append %j, the append %j is rejected: the word has ended", async (text, next) => {
  const { send, path } = await createRoom({ words: ["spam"], action: "reject" });
  const { message_id: id } = (await send("", undefined, { streaming: true })).body;
  const append = (index: number, content: string) =>
    request("POST", `${path}/messages/${id}/append`, { index, content });
  expect((await append(0, text)).status).toBe(200);
  expect((await append(1, next)).body.code).toBe("message_rejected");
  expect((await append(1, "mers are")).status).toBe(200);
});

test("what a filter rejects is nowhere in the database, and its hits are counted", async () => {
  const { send, path, filter } = await createRoom({ words: ["unspeakable"], action: "reject" });
  const { body } = await send("Hi");
  await send("unspeakable", "key");
  await request("PUT", `${path}/messages/${body.message_id}`, { content: "so unspeakable" });
  await expect.poll(async () => (await request("GET", filter)).body.hit_count, { timeout: 5_000 }).toBe(2);
  const tables = await first.db.query<{ name: string }>({
    name: "test.tables",
    text: "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
  });
  for (const { name } of tables.filter((table) => table.name !== "filters"))
    expect(
      await first.db.query({
        name: `test.find-in-${name}`,
        text: `SELECT 1 FROM ${name} AS row WHERE row::text LIKE '%unspeakable%'`,
      }),
    ).toEqual([]);
});
