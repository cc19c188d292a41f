import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer, startServerOn, type TestServer } from "../../test/support/server";
import { startTcpProxy } from "../../test/support/tcp-proxy";
import { untilBlocking } from "../../test/support/until-blocking";
import { ServiceError } from "../errors/service-error";
import { mayRetry, sweepIdempotencyKeys } from "./idempotency-store";

let server: TestServer;
let otherServer: TestServer;
/** Years behind that of the database, by which keys are removed. */
const clock = 1_700_000_000_000;
let count = 0;
let idempotencyKey: string;
beforeAll(async () => {
  server = await startServer({ now: () => clock });
  otherServer = await startServerOn(server.databaseUrl, { now: () => clock });
  await create("/v1/users", { user_id: "kim_01", name: "Kim" });
  await create("/v1/users", { user_id: "park_03", name: "Park" });
  await create("/v1/group/channels", {
    channel_id: "room_1",
    name: "Lunch",
    members: ["kim_01", "park_03"],
    reuse: false,
  });
});
afterAll(async () => {
  await otherServer.close();
  await server.close();
});
beforeEach(() => {
  idempotencyKey = `key-${count++}`;
});

const messages = "/v1/group/channels/room_1/messages";
const text = (content: string) => ({ user_id: "kim_01", type: "text", content });

async function create(path: string, body: unknown): Promise<void> {
  const { status } = await call(server.url, "POST", path, { body });
  expect(status).toBe(201);
}

async function countMessages(content: string): Promise<number> {
  const rows = await server.db.query(
    { name: `count ${content}`, text: "SELECT 1 FROM messages WHERE content = $1" },
    [content],
  );
  return rows.length;
}

test("the same request with the same key takes effect once and gets the same response", async () => {
  const sent = { body: text("once"), idempotencyKey };
  const first = await call(server.url, "POST", messages, sent);
  const second = await call(otherServer.url, "POST", messages, sent);
  expect(first.status).toBe(201);
  expect(first.headers.has("Idempotent-Replayed")).toBe(false);
  expect(second).toMatchObject({ status: 201, body: first.body });
  expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await countMessages("once")).toBe(1);
});

test("the same key with another body, path or operation is rejected and changes nothing", async () => {
  await call(server.url, "POST", messages, { body: text("kept"), idempotencyKey });
  const others = [
    call(server.url, "POST", messages, { body: text("other"), idempotencyKey }),
    call(server.url, "POST", "/v1/users", { body: { user_id: "lee_04", name: "Lee" }, idempotencyKey }),
    call(server.url, "DELETE", "/v1/users/kim_01", { idempotencyKey }),
  ];
  for (const { status, body } of await Promise.all(others)) {
    expect(status).toBe(409);
    expect(body.code).toBe("idempotency_key_reused");
  }
  expect(await countMessages("other")).toBe(0);
  expect((await call(server.url, "GET", "/v1/users/kim_01")).status).toBe(200);
});

test("requests that differ only in the order of JSON members are the same", async () => {
  const sent = { ...text("ordered"), meta: { a: "1", b: "2" } };
  const reordered = { meta: { b: "2", a: "1" }, content: "ordered", type: "text", user_id: "kim_01" };
  await call(server.url, "POST", messages, { body: sent, idempotencyKey });
  const second = await call(server.url, "POST", messages, { body: reordered, idempotencyKey });
  expect(second.status).toBe(201);
  expect(second.headers.get("Idempotent-Replayed")).toBe("true");
});

test("a key belongs to the credential that sent it", async () => {
  const { body: sub } = await call(server.url, "POST", "/v1/applications/keys");
  const sent = { body: text("each"), idempotencyKey };
  const first = await call(server.url, "POST", messages, sent);
  const second = await call(server.url, "POST", messages, { ...sent, key: sub.key });
  expect(second.status).toBe(201);
  expect(second.body.message_id).not.toBe(first.body.message_id);
  await call(server.url, "DELETE", "/v1/applications/keys", { body: { key: sub.key } });
});

test("an error is not stored: the same request runs again", async () => {
  const sent = { body: { user_id: "late_01", type: "text", content: "late" }, idempotencyKey };
  expect((await call(server.url, "POST", messages, sent)).body.code).toBe("user_not_found");
  await create("/v1/users", { user_id: "late_01", name: "Late" });
  await call(server.url, "PUT", "/v1/group/channels/room_1/join", { body: { member: "late_01" } });
  expect((await call(server.url, "POST", messages, sent)).status).toBe(201);
});

test("the removal of a user who is not a manager is not stored", async () => {
  const managers = "/v1/group/channels/room_1/managers";
  const sent = { body: { manager: "park_03" }, idempotencyKey };
  expect((await call(server.url, "DELETE", managers, sent)).body.code).toBe("manager_not_found");
  expect((await call(server.url, "POST", managers, { body: { manager: "park_03" } })).status).toBe(200);
  const removal = await call(server.url, "DELETE", managers, sent);
  expect(removal.status).toBe(200);
  expect(removal.headers.has("Idempotent-Replayed")).toBe(false);
});

test("concurrent identical requests to two processes take effect once, and each gets the response", async () => {
  const sent = { body: text("race"), idempotencyKey };
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      call(index % 2 === 0 ? server.url : otherServer.url, "POST", messages, sent),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(replies.map(({ body }) => body.message_id)).size).toBe(1);
  expect(replies.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
  expect(await countMessages("race")).toBe(1);
});

test("a request waits for another with its key, then gets 409 and has changed nothing", async () => {
  // The database reports the wait after four fifths of it. A busy machine may take up the rest, and then the service seems unavailable.
  const settings = { MADANG_STATEMENT_TIMEOUT_MS: "5000" };
  const impatient = await startServerOn(server.databaseUrl, { now: () => clock, settings });
  onTestFinished(() => impatient.close());
  const sent = { body: text("slow"), idempotencyKey };
  await otherServer.db.transaction(async (tx) => {
    // The last step of the first request, held open.
    await tx.query(storeResult, [await callerOfMaster(), idempotencyKey, clock]);
    const second = await call(impatient.url, "POST", messages, sent);
    expect(second).toMatchObject({ status: 409, body: { code: "idempotency_key_in_use" } });
    expect(second.headers.get("Retry-After")).toBe("1");
    await tx.query({ name: "forget", text: "DELETE FROM idempotency_keys WHERE key = $1" }, [idempotencyKey]);
  });
  expect(await countMessages("slow")).toBe(0);
  expect((await call(server.url, "POST", messages, sent)).status).toBe(201);
  expect(await countMessages("slow")).toBe(1);
});

const storeResult = {
  name: "store result",
  text: `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result) VALUES ($1, $2, '', $3, '[]')`,
};

async function callerOfMaster(): Promise<string> {
  await call(server.url, "POST", messages, {
    body: text("caller"),
    idempotencyKey: `${idempotencyKey}-other`,
  });
  const find = { name: "caller", text: "SELECT caller FROM idempotency_keys WHERE caller LIKE 'master %'" };
  const [row] = await server.db.query<{ caller: string }>(find);
  return row?.caller ?? "";
}

test("after a request failed because the database is unavailable, no result is looked up", async () => {
  const stopped = await startServerOn(server.databaseUrl);
  await stopped.db.close();
  const key = { caller: "master", key: idempotencyKey, fingerprint: "" };
  const retry = (error: ServiceError) => mayRetry(key, stopped.db, error);
  // A message that waited too long for earlier ones. Any query would reject.
  expect(await retry(new ServiceError("unavailable", "Too many messages."))).toBe(false);
  await expect(retry(new ServiceError("channel_frozen", "It is."))).rejects.toThrow();
  // Its database connections are already closed.
  await stopped.close().catch(() => undefined);
});

test("in one batch, each key takes effect once and a repeated key does not affect other messages", async () => {
  const send = (content: string, key: string) =>
    call(server.url, "POST", messages, { body: text(content), idempotencyKey: `${idempotencyKey}-${key}` });
  await send("batched 0", "0");
  let replies: Awaited<ReturnType<typeof send>>[] = [];
  await otherServer.db.transaction(async (tx) => {
    await tx.query({ name: "hold", text: "SELECT 1 FROM channels WHERE channel_id = 'room_1' FOR UPDATE" });
    const sending = ["1", "0", "2", "2", "3", "0", "4", "4", "5"].map((key) => send(`batched ${key}`, key));
    const reused = call(server.url, "POST", messages, {
      body: text("another"),
      idempotencyKey: `${idempotencyKey}-0`,
    });
    await untilBlocking((sql) => tx.query({ name: "waiting", text: sql }));
    void Promise.all(sending).then((all) => {
      replies = all;
    });
    void reused.then(({ body }) => expect(body.code).toBe("idempotency_key_reused"));
  });
  await expect.poll(() => replies.length).toBe(9);
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 201));
  for (const key of ["0", "1", "2", "3", "4", "5"]) expect(await countMessages(`batched ${key}`)).toBe(1);
  const { body } = await call(server.url, "GET", "/v1/group/channels/room_1");
  const [stored] = await server.db.query<{ count: number }>({
    name: "messages in channel",
    text: messagesInChannel,
  });
  expect(body.total_message_count).toBe(stored?.count);
});

const messagesInChannel = `SELECT count(*) FROM messages JOIN channels c ON c.pk = channel_pk WHERE channel_id = 'room_1'`;

test.each(["", "a b", "ä", "k".repeat(256)])(
  "the key %j is rejected with 400, in the header",
  async (bad) => {
    const reply = await call(server.url, "POST", messages, {
      body: text("bad key"),
      headers: { "Idempotency-Key": Buffer.from(bad).toString("latin1") },
    });
    expect(reply).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ in: "header", path: "idempotency-key" }] },
    });
    expect(await countMessages("bad key")).toBe(0);
  },
);

test("a key is removed after 24 hours, and not before", async () => {
  const sent = { body: text("daily"), idempotencyKey };
  const isReplayed = async () =>
    (await call(server.url, "POST", messages, sent)).headers.has("Idempotent-Replayed");
  await call(server.url, "POST", messages, sent);
  await age(24 * 3_600_000 - 60_000);
  expect(await sweepIdempotencyKeys(server.db)).toBe(false);
  expect(await isReplayed()).toBe(true);
  await age(60_001);
  expect(await sweepIdempotencyKeys(server.db)).toBe(false);
  expect(await server.db.query({ name: "rest", text: "SELECT 1 FROM idempotency_keys" })).toEqual([]);
  expect(await isReplayed()).toBe(false);
  expect(await countMessages("daily")).toBe(2);
});

/** Makes the stored results older. */
async function age(ms: number): Promise<void> {
  const text = "UPDATE idempotency_keys SET created_at = created_at - $1";
  await server.db.query({ name: "age", text }, [ms]);
}

test("the stored result of a new sub key contains the key, sealed", async () => {
  const first = await call(server.url, "POST", "/v1/applications/keys", { idempotencyKey });
  const second = await call(otherServer.url, "POST", "/v1/applications/keys", { idempotencyKey });
  expect(second.body).toEqual(first.body);
  expect((await call(otherServer.url, "GET", "/v1/users", { key: first.body.key })).status).toBe(200);
  const rows = await server.db.query<{ row: string }>({
    name: "all",
    text: "SELECT result::text || caller || key AS row FROM idempotency_keys",
  });
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain(first.body.key.slice(3, 20));
  expect((await call(server.url, "GET", "/v1/applications/keys")).body).toHaveLength(1);
});

test("an API key that was deleted with an idempotency key is rejected immediately by the same process", async () => {
  const { body } = await call(server.url, "POST", "/v1/applications/keys");
  expect((await call(server.url, "GET", "/v1/users", { key: body.key })).status).toBe(200);
  await call(server.url, "DELETE", "/v1/applications/keys", { body: { key: body.key }, idempotencyKey });
  expect((await call(server.url, "GET", "/v1/users", { key: body.key })).status).toBe(401);
});

test("the header that says whether a channel was created is part of the stored result", async () => {
  const body = { channel_id: "pair_1", name: "Pair", members: ["kim_01", "park_03"], reuse: true };
  const first = await call(server.url, "POST", "/v1/group/channels", { body, idempotencyKey });
  const second = await call(server.url, "POST", "/v1/group/channels", { body, idempotencyKey });
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("X-Channel-Created")).toBe(first.headers.get("X-Channel-Created"));
});

test.each([
  { what: "message", path: messages, body: text("cut") },
  {
    what: "channel",
    path: "/v1/group/channels",
    body: { channel_id: "cut_1", name: "Cut", members: [], reuse: false },
  },
  { what: "key", path: "/v1/applications/keys", body: undefined },
])("a connection cut after the commit and before the response leaves one $what", async ({ path, body }) => {
  const before = await countAll();
  const proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
  proxy.set({ onResponse: (_bytes, link) => void link.cut() });
  const sent = { ...(body !== undefined && { body }), idempotencyKey };
  await expect(call(`http://127.0.0.1:${proxy.port}`, "POST", path, sent)).rejects.toThrow();
  await proxy.close();
  expect(await countAll()).toBe(before + 1);
  const repeated = await call(server.url, "POST", path, sent);
  expect(repeated.status).toBe(201);
  expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await countAll()).toBe(before + 1);
});

async function countAll(): Promise<number> {
  const [row] = await server.db.query<{ count: number }>({
    name: "count all",
    text: `SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM channels)
      + (SELECT count(*) FROM sub_keys) AS count`,
  });
  return row?.count ?? 0;
}
