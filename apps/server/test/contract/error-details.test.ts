import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ErrorCode, errorCodes, errorHelp, errors, limits } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Reply } from "../support/call";
import { signIn } from "../support/console";
import { createToken } from "../support/replay";
import { masterKey, startServer, startServerOn, type TestServer } from "../support/server";

let server: TestServer;
let shortTimeoutServer: TestServer;
let impatient: TestServer;
let limited: TestServer;
let broken: TestServer;
let disconnected: TestServer;
beforeAll(async () => {
  server = await startServer();
  impatient = await startServerOn(server.databaseUrl, { settings: { MADANG_STATEMENT_TIMEOUT_MS: "1000" } });
  shortTimeoutServer = await startServerOn(server.databaseUrl, { timeouts });
  limited = await startServerOn(server.databaseUrl, {
    settings: { MADANG_RATE_LIMIT: "1/3600s" },
  });
  broken = await startServer();
  await broken.db.query({ name: "test.break", text: "ALTER TABLE users RENAME TO lost" });
  disconnected = await startServerOn(server.databaseUrl);
  await disconnected.db.close();

  const ids = Array.from({ length: limits.membersPerChannel }, (_, index) => `user_${index}`);
  for (const user_id of ["kim_01", ...ids]) await post("/v1/users", { user_id, name: "Kim" });
  await createChannel("room_1", []);
});
afterAll(async () => {
  await shortTimeoutServer.close();
  await impatient.close();
  await limited.close();
  await broken.close();
  // Its database connections are already closed.
  await disconnected.close().catch(() => undefined);
  await server.close();
});

const timeouts = {
  headersTimeout: 500,
  requestTimeout: 500,
  keepAliveTimeout: 5_000,
  timeout: 5_000,
  connectionsCheckingInterval: 50,
};

const get = (path: string) => call(server.url, "GET", path);
const post = (path: string, body: unknown) => call(server.url, "POST", path, { body });
const put = (path: string, body: unknown) => call(server.url, "PUT", path, { body });
const createChannel = (channel_id: string, members: readonly string[]) =>
  post("/v1/group/channels", { channel_id, name: "Lunch", members, reuse: false });
const channelPath = "/v1/group/channels/room_1";
const hello = { user_id: "kim_01", type: "text", content: "Hello" };

const menu = { channel_id: "room_1", name: "menu.png", type: "image/png", size: 1 };

/** No host has its name. */
const hook = {
  url: "https://hooks.example.com/check",
  operations: ["messages.send"],
  callers: "all",
  timeout_ms: 100,
  on_failure: "reject",
};

const browser = {
  provider: "webpush",
  endpoint: "https://push.example.com/send/cXVp",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
};

/** Creates a file in a room with kim_01, and uploads its bytes if there are some. */
async function createFile(bytes?: string): Promise<string> {
  await recreateRoom(["kim_01"]);
  const { body } = await post("/v1/files", menu);
  const { url, method, headers } = body.upload;
  if (bytes !== undefined) await fetch(url, { method, headers, body: bytes });
  return body.file_id;
}

async function recreateRoom(members: readonly string[] = []): Promise<void> {
  await call(server.url, "DELETE", channelPath);
  await createChannel("room_1", members);
}

/** The path of a message that is being written. */
async function beginMessage(content = ""): Promise<string> {
  await recreateRoom(["kim_01"]);
  const { body } = await post(`${channelPath}/messages`, { ...hello, content, streaming: true });
  return `${channelPath}/messages/${body.message_id}`;
}

/** Causes each error, with the user kim_01 and the channel room_1. */
const causes: Record<ErrorCode, () => Promise<Pick<Reply, "body">>> = {
  invalid_request: () => get("/v1/users?limit=4"),
  invalid_json: () => sendText("/v1/users", "{", "application/json"),
  invalid_cursor: () => get("/v1/users?next=forged.cursor"),
  unauthenticated: async () => ({ body: await (await fetch(`${server.url}/v1/users`)).json() }),
  master_key_required: async () => {
    const { body } = await post("/v1/applications/keys", undefined);
    return call(server.url, "GET", "/v1/applications/keys", { key: body.key });
  },
  scope_missing: async () => {
    const { body } = await post("/v1/applications/keys", { scopes: ["read"] });
    return call(server.url, "POST", `${channelPath}/messages`, { key: body.key, body: hello });
  },
  not_permitted: async () => {
    const { body } = await post("/v1/users/kim_01/tokens", undefined);
    return call(server.url, "GET", "/v1/users", { key: body.token });
  },
  cross_origin_request: async () => {
    const headers = { Cookie: await signIn(server.url) };
    return { body: await (await fetch(`${server.url}/v1/users`, { headers })).json() };
  },
  channel_frozen: async () => {
    await recreateRoom(["kim_01"]);
    await put(`${channelPath}/freeze`, { freeze: true });
    return post(`${channelPath}/messages`, hello);
  },
  not_a_participant: async () => {
    await recreateRoom();
    return post(`${channelPath}/messages`, hello);
  },
  member_muted: async () => {
    await recreateRoom(["kim_01"]);
    await put(`${channelPath}/members/kim_01/mute`, {});
    return post(`${channelPath}/messages`, hello);
  },
  user_banned: async () => {
    await recreateRoom(["kim_01"]);
    await put(`${channelPath}/bans/kim_01`, {});
    return post(`${channelPath}/messages`, hello);
  },
  user_suspended: async () => {
    await put("/v1/users/kim_01/suspension", {});
    const reply = await post(`${channelPath}/messages`, hello);
    await call(server.url, "DELETE", "/v1/users/kim_01/suspension");
    return reply;
  },
  user_blocked: async () => {
    await post("/v1/users", { user_id: "lee_02", name: "Lee" });
    await recreateRoom(["kim_01", "lee_02"]);
    await put("/v1/users/lee_02/blocks/kim_01", undefined);
    const reply = await post(`${channelPath}/messages`, hello);
    await call(server.url, "DELETE", "/v1/users/lee_02");
    return reply;
  },
  slow_mode: async () => {
    await recreateRoom(["kim_01"]);
    await put(`${channelPath}/slow_mode`, { seconds: 30 });
    await post(`${channelPath}/messages`, hello);
    return post(`${channelPath}/messages`, hello);
  },
  message_rejected: async () => {
    await recreateRoom(["kim_01"]);
    const filter = { label: "Greetings", words: [hello.content], action: "reject" };
    const { body } = await post("/v1/filters", filter);
    const reply = await post(`${channelPath}/messages`, hello);
    await call(server.url, "DELETE", `/v1/filters/${body.filter_id}`);
    return reply;
  },
  filter_not_found: () => get("/v1/filters/flt_none"),
  filter_limit_exceeded: async () => {
    const filter = { label: "Greetings", words: ["farewell"], action: "report" };
    const ids: string[] = [];
    for (let count = 0; count < 100; count++) ids.push((await post("/v1/filters", filter)).body.filter_id);
    const reply = await post("/v1/filters", filter);
    for (const id of ids) await call(server.url, "DELETE", `/v1/filters/${id}`);
    return reply;
  },
  check_unavailable: async () => {
    await recreateRoom(["kim_01"]);
    const { body } = await post("/v1/hooks", hook);
    const reply = await post(`${channelPath}/messages`, hello);
    await call(server.url, "DELETE", `/v1/hooks/${body.hook_id}`);
    return reply;
  },
  hook_not_found: () => get("/v1/hooks/hook_none"),
  hook_limit_exceeded: async () => {
    const ids: string[] = [];
    for (let count = 0; count < limits.hooks; count++) ids.push((await post("/v1/hooks", hook)).body.hook_id);
    const reply = await post("/v1/hooks", hook);
    for (const id of ids) await call(server.url, "DELETE", `/v1/hooks/${id}`);
    return reply;
  },
  user_not_found: async () => {
    await call(server.url, "DELETE", "/v1/users/kim_01");
    const reply = await get("/v1/users/kim_01");
    await post("/v1/users", { user_id: "kim_01", name: "Kim" });
    return reply;
  },
  channel_not_found: async () => {
    await call(server.url, "DELETE", channelPath);
    const reply = await get(channelPath);
    await createChannel("room_1", []);
    return reply;
  },
  message_not_found: () => get(`${channelPath}/messages/1700000000000-1042`),
  reaction_limit_exceeded: async () => {
    await recreateRoom(["kim_01"]);
    const { body } = await post(`${channelPath}/messages`, hello);
    const react = (reaction: string) =>
      put(`${channelPath}/messages/${body.message_id}/reactions/${reaction}/kim_01`, {});
    for (let count = 0; count < limits.reactionsPerMessage; count++) await react(`r${count}`);
    return react("another");
  },
  block_limit_exceeded: async () => {
    await server.db.query(blockMany, [limits.blocksPerUser]);
    await post("/v1/users", { user_id: "one_more", name: "Blocked" });
    return put("/v1/users/kim_01/blocks/one_more", undefined);
  },
  pin_limit_exceeded: async () => {
    await recreateRoom(["kim_01"]);
    let reply = await post(`${channelPath}/messages`, hello);
    for (let count = 0; count <= limits.pinsPerChannel; count++) {
      const { body } = await post(`${channelPath}/messages`, hello);
      reply = await put(`${channelPath}/messages/${body.message_id}/pin`, {});
    }
    return reply;
  },
  message_changed: async () => {
    await recreateRoom(["kim_01"]);
    const { body } = await post(`${channelPath}/messages`, hello);
    return put(`${channelPath}/messages/${body.message_id}`, { content: "One?", if_updated_at: 1 });
  },
  message_streaming: async () => put(await beginMessage(), { content: "One?" }),
  message_not_streaming: async () => {
    await recreateRoom(["kim_01"]);
    const { body } = await post(`${channelPath}/messages`, hello);
    return post(`${channelPath}/messages/${body.message_id}/append`, { index: 0, content: "!" });
  },
  append_out_of_order: async () => post(`${await beginMessage()}/append`, { index: 1, content: "!" }),
  stream_limit_exceeded: async () => {
    const message = { type: "text", streaming: true };
    await recreateRoom(["kim_01"]);
    const key = await createToken(server.url, "kim_01");
    let reply = await call(server.url, "POST", `${channelPath}/messages`, { key, body: message });
    for (let count = 1; count <= limits.streamedMessages; count++)
      reply = await call(server.url, "POST", `${channelPath}/messages`, { key, body: message });
    return reply;
  },
  content_limit_exceeded: async () =>
    post(`${await beginMessage("n".repeat(65_536))}/append`, { index: 0, content: "!" }),
  external_id_exists: async () => {
    await recreateRoom(["kim_01"]);
    await post(`${channelPath}/messages`, { ...hello, external_id: "m-1041" });
    return post(`${channelPath}/messages`, { ...hello, external_id: "m-1041" });
  },
  member_not_found: async () => {
    await recreateRoom();
    return put(`${channelPath}/members/kim_01/mute`, {});
  },
  manager_not_found: () =>
    call(server.url, "DELETE", `${channelPath}/managers`, { body: { manager: "kim_01" } }),
  key_not_found: () => call(server.url, "DELETE", "/v1/applications/keys", { body: { key: "sk_none" } }),
  webhook_not_found: () => get("/v1/webhooks/wh_none"),
  report_not_found: () => get("/v1/reports/rep_none"),
  erasure_not_found: () => get("/v1/privacy/erasures/era_none"),
  device_not_found: () => post("/v1/users/kim_01/devices/phone-1/ping", undefined),
  push_not_configured: async () => {
    const settings = { MADANG_PUSH_CONTACT: "" };
    const pushless = await startServerOn(server.databaseUrl, { settings });
    const reply = await call(pushless.url, "PUT", "/v1/users/kim_01/devices/phone-1", { body: browser });
    await pushless.close();
    return reply;
  },
  file_not_found: () => get("/v1/files/file_none"),
  file_in_use: async () => {
    const file_id = await createFile("x");
    await post(`${channelPath}/messages`, { ...hello, attachments: [{ file_id }] });
    return call(server.url, "DELETE", `/v1/files/${file_id}`);
  },
  file_not_uploaded: async () => {
    const attachments = [{ file_id: await createFile() }];
    return post(`${channelPath}/messages`, { ...hello, attachments });
  },
  presence_disabled: async () => {
    const absent = await startServerOn(server.databaseUrl, { settings: { MADANG_PRESENCE: "off" } });
    const reply = await call(absent.url, "GET", "/v1/presence?user_ids=kim_01");
    await absent.close();
    return reply;
  },
  files_disabled: async () => {
    const fileless = await startServerOn(server.databaseUrl, { settings: { MADANG_FILES: "off" } });
    const reply = await call(fileless.url, "POST", "/v1/files", { body: menu });
    await fileless.close();
    return reply;
  },
  route_not_found: () => get("/v1/user"),
  method_not_allowed: () => call(server.url, "PATCH", "/v1/users"),
  request_timeout: () => sendSlowly(),
  user_exists: () => post("/v1/users", { user_id: "kim_01", name: "Kim" }),
  channel_exists: () => createChannel("room_1", []),
  meta_limit_exceeded: () => {
    const names = Array.from({ length: limits.meta.maxPairs + 1 }, (_, index) => [
      `key_${"x".repeat(index)}`,
      "x",
    ]);
    return merge(Object.fromEntries(names.slice(0, 1))).then(() => merge(Object.fromEntries(names.slice(1))));
  },
  member_limit_exceeded: async () => {
    await recreateRoom(Array.from({ length: limits.membersPerChannel }, (_, index) => `user_${index}`));
    return put(`${channelPath}/join`, { member: "kim_01" });
  },
  manager_limit_exceeded: async () => {
    for (let index = 0; index < limits.managersPerChannel; index++)
      await post(`${channelPath}/managers`, { manager: `user_${index}` });
    return post(`${channelPath}/managers`, { manager: "kim_01" });
  },
  key_limit_exceeded: async () => {
    for (let count = 0; count < limits.subKeys; count++) await post("/v1/applications/keys", undefined);
    return post("/v1/applications/keys", undefined);
  },
  webhook_limit_exceeded: async () => {
    const body = { url: "https://hooks.example.com" };
    for (let count = 0; count < limits.webhooks; count++) await post("/v1/webhooks", body);
    return post("/v1/webhooks", body);
  },
  idempotency_key_reused: async () => {
    const send = (name: string) =>
      call(server.url, "PUT", "/v1/users/kim_01", { body: { name }, idempotencyKey: "reused" });
    await send("One");
    return send("Two");
  },
  // As between the last statement of the first request and its commit.
  idempotency_key_in_use: async () => {
    const send = (idempotencyKey: string) =>
      call(impatient.url, "PUT", "/v1/users/kim_01", { body: { name: "Kim" }, idempotencyKey });
    await send("finished");
    return limited.db.transaction(async (tx) => {
      await tx.query(copyKey, ["finished", "running"]);
      return send("running");
    });
  },
  events_expired: async () => {
    await post("/v1/users", { user_id: "expired_1", name: "Kim" });
    const { next } = (await get("/v1/events?limit=1")).body;
    await post("/v1/users", { user_id: "expired_2", name: "Kim" });
    await get("/v1/events");
    await server.db.query(expireEvents);
    return get(`/v1/events?after=${next}`);
  },
  payload_too_large: () => post("/v1/users", { name: "x".repeat(limits.bodyBytes) }),
  unsupported_media_type: () => sendText("/v1/users", "{}", "text/plain"),
  rate_limited: async () => {
    await call(limited.url, "GET", "/v1/users");
    return call(limited.url, "GET", "/v1/users");
  },
  internal: () => call(broken.url, "GET", "/v1/users"),
  storage_unavailable: async () => {
    const folder = await mkdtemp(join(tmpdir(), "madang-gone-"));
    const settings = { MADANG_FILES: `folder:${folder}` };
    const fileless = await startServerOn(server.databaseUrl, { settings });
    await rm(folder, { recursive: true });
    const reply = await call(fileless.url, "POST", "/v1/files", { body: menu });
    await fileless.close();
    return reply;
  },
  unavailable: () => call(disconnected.url, "GET", "/v1/users"),
};

const copyKey = {
  name: "test.copy-key",
  text: `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
    SELECT caller, $2, fingerprint, created_at, result FROM idempotency_keys WHERE key = $1`,
};

const blockMany = {
  name: "test.block-many",
  text: `WITH blocked AS (
      INSERT INTO users (user_id, name, created_at, updated_at)
      SELECT 'blocked_' || number, 'Blocked', 0, 0 FROM generate_series(1, $1::int) AS number RETURNING pk
    )
    INSERT INTO blocks (user_pk, blocked_pk, created_at)
    SELECT u.pk, blocked.pk, 0 FROM users u, blocked WHERE user_id = 'kim_01'`,
};

const expireEvents = {
  name: "test.expire-events",
  text: "DELETE FROM event_ranges WHERE after_position < (SELECT max(after_position) FROM event_ranges)",
};

const merge = (meta: unknown) => put("/v1/users/kim_01/meta", { meta });

async function sendText(path: string, text: string, type: string): Promise<Pick<Reply, "body">> {
  const Authorization = `Bearer ${masterKey}`;
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { Authorization, "Content-Type": type },
    body: text,
  });
  return { body: await response.json() };
}

async function sendSlowly(): Promise<Pick<Reply, "body">> {
  const socket = connect(Number(new URL(shortTimeoutServer.url).port), "127.0.0.1");
  socket.write("GET /v1/users HTTP/1.1\r\n");
  let received = "";
  for await (const chunk of socket) received += chunk;
  return { body: JSON.parse(received.split("\r\n\r\n")[1] ?? "") };
}

test.each(errorCodes)("the explanation of %s quotes the detail that the server sends", async (code) => {
  const { body } = await causes[code]();
  // Numbers of seconds and ids of the server vary.
  const anySeconds = (text: string) =>
    text
      .replace(/file_[0-9a-f]{32}/, "file_1")
      .replace(/"\d{13}-\d+"/, "the id")
      .replace(/\d+ seconds?/, "n seconds");
  expect(body).toMatchObject({ code, status: errors[code].status, title: errors[code].title });
  expect(anySeconds(body.detail)).toBe(anySeconds(errorHelp[code].detail));
});
