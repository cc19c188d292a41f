import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Reply } from "../support/call";
import { startServer, startServerOn, type TestServer } from "../support/server";

let server: TestServer;
let otherServer: TestServer;
beforeAll(async () => {
  server = await startServer();
  otherServer = await startServerOn(server.databaseUrl);
  for (const user_id of ["kim_01", "lee_02", "park_03"])
    await request("POST", "/users", { user_id, name: "User" });
});
afterAll(async () => {
  await otherServer.close();
  await server.close();
});

const request = (method: string, path: string, body?: unknown, idempotencyKey?: string, at = server) =>
  call(at.url, method, `/v1${path}`, {
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
const createChannel = (channel_id: string, members: readonly string[], reuse = false) =>
  request("POST", "/group/channels", { channel_id, name: "Room", members, reuse });
const latest = async () => (await request("GET", "/events?after=latest")).body.next;
async function eventsAfter(cursor: string, count: number): Promise<Reply["body"]> {
  const { body } = await request("GET", `/events?after=${cursor}&wait=5`);
  if (body.events.length >= count) return body.events;
  return [...body.events, ...(await eventsAfter(body.next, count - body.events.length))];
}
const hello = (channel_ids: readonly string[]) => ({
  channel_ids,
  user_id: "kim_01",
  type: "text",
  content: "Hello, all",
});

test("an addition of many has the events of single joins, and a rejected one has none", async () => {
  await createChannel("join_1", ["kim_01"]);
  const cursor = await latest();
  const members = "/group/channels/join_1/members";
  const unknown = await request("POST", members, { members: ["lee_02", "missing_user"] });
  expect(unknown).toMatchObject({ status: 404, body: { code: "user_not_found" } });
  await request("POST", members, { members: ["park_03", "kim_01", "lee_02"] });
  const events = await eventsAfter(cursor, 2);
  expect(events.map(({ type, user_id }: { type: string; user_id: string }) => [type, user_id])).toEqual([
    ["member.joined", "park_03"],
    ["member.joined", "lee_02"],
  ]);
  const { body } = await request("GET", members);
  expect(body.map(({ user_id }: { user_id: string }) => user_id)).toEqual(["kim_01", "park_03", "lee_02"]);
});

test("a pair that was added at once is reused, until a third user was added", async () => {
  await createChannel("pair_1", []);
  await request("POST", "/group/channels/pair_1/members", { members: ["lee_02", "park_03"] });
  expect((await createChannel("pair_2", ["park_03", "lee_02"], true)).body.channel_id).toBe("pair_1");
  await request("POST", "/group/channels/pair_1/members", { members: ["park_03", "kim_01"] });
  await request("PUT", "/group/channels/pair_1/leave", { member: "kim_01" });
  expect((await createChannel("pair_2", ["park_03", "lee_02"], true)).body.channel_id).toBe("pair_2");
});

test("a second user who is added to a channel of one makes it a pair", async () => {
  await createChannel("duo_1", ["kim_01"]);
  await request("POST", "/group/channels/duo_1/members", { members: ["kim_01", "lee_02"] });
  expect((await createChannel("duo_2", ["lee_02", "kim_01"], true)).body.channel_id).toBe("duo_1");
});

test("a message to several channels has the events, counts and times of single ones", async () => {
  for (const id of ["news_1", "news_2"]) await createChannel(id, ["kim_01", "lee_02"]);
  const cursor = await latest();
  const { body } = await request("POST", "/messages", hello(["news_2", "news_0", "news_1"]));
  expect(body.results).toMatchObject([
    { channel_id: "news_2", message: { channel_id: "news_2", content: "Hello, all" } },
    { channel_id: "news_0", code: "channel_not_found" },
    { channel_id: "news_1", message: { channel_id: "news_1", user: { user_id: "kim_01" } } },
  ]);
  const events = await eventsAfter(cursor, 2);
  const created = body.results.flatMap(({ message }: { message?: object }) => message ?? []);
  expect(events.map(({ data }: { data: { message: object } }) => data.message)).toEqual(
    expect.arrayContaining(created),
  );
  expect(events).toHaveLength(2);
  for (const { channel_id, message_id } of created) {
    const path = `/group/channels/${channel_id}`;
    expect((await request("GET", `${path}/messages/${message_id}`)).status).toBe(200);
    expect((await request("GET", path)).body.total_message_count).toBe(1);
    expect((await request("GET", `${path}/members/lee_02`)).body.unread_count).toBe(1);
    expect((await request("GET", `${path}/members/kim_01`)).body.unread_count).toBe(0);
  }
});

test("with one idempotency key, a message to several channels is sent once, and its codes are repeated", async () => {
  for (const id of ["once_1", "once_2"]) await createChannel(id, ["kim_01"]);
  const body = hello(["once_1", "once_2", "once_3"]);
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      request("POST", "/messages", body, "once", index % 2 === 0 ? server : otherServer),
    ),
  );
  // What would succeed now has the result of the first request.
  await createChannel("once_3", ["kim_01"]);
  replies.push(await request("POST", "/messages", body, "once"));
  const [first] = replies;
  for (const { status, body: results } of replies) expect([status, results]).toEqual([200, first?.body]);
  expect(replies.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
  for (const [id, count] of [
    ["once_1", 1],
    ["once_2", 1],
    ["once_3", 0],
  ] as const)
    expect((await request("GET", `/group/channels/${id}`)).body.total_message_count).toBe(count);
  const other = await request("POST", "/messages", hello(["once_2", "once_1", "once_3"]), "once");
  expect(other.body.code).toBe("idempotency_key_reused");
});

test("a replayed result has nothing of the message that the key stored", async () => {
  await createChannel("erased_1", ["kim_01"]);
  await request("POST", "/messages", { ...hello(["erased_1"]), content: "secret words" }, "erased");
  const rows = await server.db.query<{ result: string }>({
    name: "test.results",
    text: "SELECT result::text FROM idempotency_keys WHERE key = 'erased'",
  });
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("secret");
});
