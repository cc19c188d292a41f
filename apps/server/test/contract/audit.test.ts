import {
  type AuditSetting,
  auditLevelOf,
  auditSettings,
  idFieldsOf,
  isAudited,
  type Operation,
  operations,
} from "@madang/contract";
import { type Interaction, requestTime, requireAccepted } from "@madang/contract-tests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Statement } from "../../src/db/db";
import { readEntries } from "../support/audit-entries";
import { call } from "../support/call";
import { isDistributed } from "../support/citus";
import { createDatabase } from "../support/database";
import { createPushSettings } from "../support/push-settings";
import { createToken, replay } from "../support/replay";
import { masterKey, startServerOn, type TestServer } from "../support/server";
import { readState } from "../support/state";
import { createWorld } from "../support/world";

const clock = { now: 0 };
const pushSettings = await createPushSettings();
const database = await createDatabase();
const servers = new Map<string, TestServer>();
/** Worlds are created without entries. */
let quiet: TestServer;
beforeAll(async () => {
  quiet = await requireServer("off");
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await database.drop();
});

async function requireServer(audit: AuditSetting, more: Record<string, string> = {}): Promise<TestServer> {
  const settings = { MADANG_AUDIT: audit, ...pushSettings, ...more };
  const name = JSON.stringify(settings);
  const server = servers.get(name) ?? (await startServerOn(database.url, { now: () => clock.now, settings }));
  servers.set(name, server);
  return server;
}

const audited = operations.filter((operation) => auditLevelOf(operation) !== "never");
// A test push is sent whatever becomes of its entry, and the device keeps the result.
const changes = audited.filter(({ id, route }) => route.method !== "GET" && id !== "users.devices.ping");

describe("the entry is written in the transaction of the change", () => {
  test.each(changes)("$id changes nothing if its entry is rejected", async ({ id }) => {
    const server = await requireServer("all");
    const accepted = requireAccepted(id);
    const created = await createWorld({ ...quiet, clock }, accepted.given ?? {});
    clock.now = requestTime;
    for (const statement of rejectEntries(server.db)) await server.db.query(statement);
    const stateBefore = await readState(server.db);
    const { status } = await replay(server.url, { ...accepted, operation: id }, created);
    for (const statement of acceptEntries(server.db)) await server.db.query(statement);
    expect(status).toBe(500);
    expect(await readState(server.db)).toBe(stateBefore);
  });
});

test.skipIf(isDistributed)("a change that fails in its commit has no entry", async () => {
  const server = await requireServer("all");
  await createWorld({ ...quiet, clock }, { users: [{ user_id: "kim_01", name: "Kim" }] });
  const run = (text: string) => server.db.query({ name: `test.${text.slice(0, 40)}`, text });
  await run(`CREATE FUNCTION public.test_fail() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE EXCEPTION ''This user cannot be committed.''; END'`);
  await run(`CREATE CONSTRAINT TRIGGER test_fail AFTER UPDATE ON users DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION public.test_fail()`);
  const { status } = await call(server.url, "DELETE", "/v1/users/kim_01");
  await run("DROP FUNCTION public.test_fail CASCADE");
  expect(status).toBe(500);
  expect(await readEntries(server)).toEqual([]);
});

const alterTables = (db: Database, change: string): Statement<unknown>[] =>
  // On Citus, the coordinator changes those of the schemas.
  ["public", ...(db.isDistributed ? db.schemas().map((_, index) => `channels_0${index}`) : [])].map(
    (schema) => ({
      name: `test.${change.slice(0, 4)}-${schema}`,
      text: `ALTER TABLE ${schema}.audit_entries ${change}`,
    }),
  );

const rejectEntries = (db: Database) =>
  alterTables(db, "ADD CONSTRAINT test_rejected CHECK (false) NOT VALID");
const acceptEntries = (db: Database) => alterTables(db, "DROP CONSTRAINT test_rejected");

// Each token is made anew, and each test push is sent.
const isRepeatable = ({ id, route }: Operation) =>
  route.method !== "GET" && id !== "users.createToken" && id !== "users.devices.ping";

test.each(audited)(
  "$id has one entry, without content of the request, also if a change is repeated with its key",
  async (operation) => {
    const { id, variantOf = id, route } = operation;
    const server = await requireServer("reads");
    const accepted = requireAccepted(id);
    const created = await createWorld({ ...quiet, clock }, accepted.given ?? {});
    clock.now = requestTime;
    const keyed = isRepeatable(operation) && { "Idempotency-Key": `audit-${id}` };
    const request = { ...accepted.request, headers: { ...accepted.request?.headers, ...keyed } };
    const send = () => replay(server.url, { ...accepted, operation: id, request }, created, quiet.url);
    const { status } = await send();
    if (keyed) expect((await send()).headers?.["idempotent-replayed"]).toBe("true");
    const entries = await readEntries(server);
    const kind = { master: "master", sub: "sub" }[String(request.key ?? "master")] ?? "none";
    const expected = { operation: variantOf, method: route.method, status, code: null };
    expect(entries).toMatchObject([{ ...expected, kind: request.as === undefined ? kind : "user" }]);
    expect(findLeaks(accepted, entries)).toEqual([]);
    const [{ entry } = {}] = entries;
    for (const { entryField } of idFieldsOf(operation).filter((field) => field.in === "path"))
      expect(entry?.[entryField], entryField).toEqual(expect.any(String));
  },
);

/** The setting and the level of an operation decide together: the first operation of each level stands for all. */
const byLevel = [...Map.groupBy(operations, auditLevelOf).values()].flatMap(([first]) => first ?? []);

describe.each(auditSettings)("with MADANG_AUDIT=%s", (setting) => {
  test.each(byLevel)("$id has the entries that the setting promises", async (operation) => {
    const { id, route } = operation;
    const server = await requireServer(setting);
    const accepted = { ...requireAccepted(id), operation: id };
    const created = await createWorld({ ...quiet, clock }, accepted.given ?? {});
    clock.now = requestTime;
    await replay(server.url, accepted, created, quiet.url);
    const count = isAudited(setting, operation) ? 1 : 0;
    expect(await readEntries(server)).toHaveLength(count);
    const query = { ...accepted.request?.query, unknown: "1" };
    const rejected = { ...accepted, request: { ...accepted.request, query } };
    expect((await replay(server.url, rejected, created, quiet.url)).status).toBe(400);
    // Of rejected requests, only reads have entries.
    expect(await readEntries(server)).toHaveLength(route.method === "GET" ? 2 * count : count);
  });
});

// One middleware reads them.
const sampled = [audited.find(({ route }) => route.method === "GET"), changes[0]].flatMap(
  (each) => each ?? [],
);

test.each(sampled)("$id takes an actor and a reason of 1 to 200 characters", async ({ id }) => {
  const server = await requireServer("reads");
  const accepted = requireAccepted(id);
  const created = await createWorld({ ...quiet, clock }, accepted.given ?? {});
  clock.now = requestTime;
  const send = (actor: string, reason: string) => {
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const headers = { "X-Madang-Actor": bytes(actor), "X-Madang-Reason": bytes(reason) };
    return replay(
      server.url,
      { ...accepted, operation: id, request: { ...accepted.request, headers } },
      created,
    );
  };
  const state = await readState(server.db);
  for (const [actor, reason, path] of [
    ["a".repeat(201), "why", "x-madang-actor"],
    ["who", "김".repeat(201), "x-madang-reason"],
    ["", "why", "x-madang-actor"],
    ["Jane\u202e", "why", "x-madang-actor"],
    ["Jane", "because\u2028", "x-madang-reason"],
  ] as const)
    expect(await send(actor, reason)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ in: "header", path }] },
    });
  expect(await readState(server.db)).toBe(state);
  const longest = "김".repeat(200);
  expect(await send("민지", longest)).toMatchObject({ status: accepted.response.status });
  expect((await readEntries(server)).at(-1)).toMatchObject({ entry: { actor: "민지", reason: longest } });
});

test("a key in an actor or a reason is masked, and bytes that are not UTF-8 are rejected", async () => {
  const server = await requireServer("all");
  await createWorld({ ...quiet, clock }, {});
  const create = (headers: Record<string, string>) =>
    call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" }, headers });
  expect(await create({ "X-Madang-Actor": "\xff" })).toMatchObject({ status: 400 });
  expect(
    await create({ "X-Madang-Actor": masterKey, "X-Madang-Reason": `sk_${"A".repeat(64)}` }),
  ).toMatchObject({
    status: 201,
  });
  expect(await readEntries(server)).toMatchObject([{ entry: { actor: "…", reason: "sk_…" } }]);
});

test("moderation by a user is recorded by default, under no name that a token writes, and found by both users", async () => {
  const server = await requireServer("changes");
  await createWorld({ ...quiet, clock }, {});
  for (const user_id of ["kim_01", "lee_02"])
    await call(quiet.url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });
  const path = "/v1/group/channels/room_1";
  const members = ["kim_01", "lee_02"];
  await call(quiet.url, "POST", "/v1/group/channels", {
    body: { channel_id: "room_1", name: "Room", members },
  });
  await call(quiet.url, "POST", `${path}/managers`, { body: { manager: "kim_01" } });
  const key = await createToken(quiet.url, "kim_01");
  const headers = { "X-Madang-Actor": "Moderator Lee", "X-Madang-Reason": "ticket 4711" };
  await call(server.url, "PUT", `${path}/members/lee_02/mute`, { key, headers });
  for (const user of members) {
    const { body } = await call(server.url, "GET", `/v1/audit?user_id=${user}`);
    expect(body.entries).toMatchObject([
      { operation: "channels.members.mute", kind: "user", acting_user_id: "kim_01", user_id: "lee_02" },
    ]);
    expect(body.entries[0]).not.toHaveProperty("actor");
    expect(body.entries[0]).not.toHaveProperty("reason");
  }
});

test("an entry names the user, the channel and the message, also one that was just sent", async () => {
  const server = await requireServer("all");
  await createWorld({ ...quiet, clock }, {});
  for (const user_id of ["kim_01", "lee_02"])
    await call(server.url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });
  const channel = { channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"], reuse: true };
  await call(server.url, "POST", "/v1/group/channels", { body: channel });
  // The channel that exists, and not the one that the request names.
  await call(server.url, "POST", "/v1/group/channels", { body: { ...channel, channel_id: "room_2" } });
  const path = "/v1/group/channels/room_1/messages";
  const sent = await Promise.all(
    Array.from({ length: 20 }, () =>
      call(server.url, "POST", path, { body: { user_id: "kim_01", type: "text", content: "Hi" } }),
    ),
  );
  const { body } = await call(server.url, "GET", "/v1/audit?channel_id=room_1&limit=100");
  const entries: { operation: string; message_id?: string }[] = body.entries;
  const messages = entries.filter(({ operation }) => operation === "messages.send");
  expect(messages.map(({ message_id }) => message_id).sort()).toEqual(
    sent.map(({ body }) => body.message_id).sort(),
  );
  expect(messages[0]).toMatchObject({ user_id: "kim_01", channel_id: "room_1", kind: "master" });
  expect(entries.filter(({ operation }) => operation === "channels.create")).toHaveLength(2);
  expect((await call(server.url, "GET", "/v1/audit?channel_id=room_2")).body.entries).toEqual([]);
});

test.each([
  ["users.get", "/v1/users/lee_02", { user_id: "lee_02" }],
  [
    "messages.get",
    "/v1/group/channels/room_1/messages/1700000000000-1",
    { channel_id: "room_1", message_id: "1700000000000-1" },
  ],
  ["messages.list", "/v1/group/channels/room_1/messages?limit=0", { channel_id: "room_1" }],
  ["channels.members.get", "/v1/group/channels/room_1/members/LEE", { channel_id: "room_1" }],
  ["audit.list", "/v1/audit?user_id=lee_02", { user_id: "lee_02" }],
])("the entry of a rejected read names the ids of its URL: %s", async (operation, path, ids) => {
  const server = await requireServer("reads");
  await createWorld({ ...quiet, clock }, {});
  const { body } = await call(server.url, "POST", "/v1/applications/keys", { body: { scopes: ["read"] } });
  const response = await call(server.url, "GET", path, { key: body.key });
  expect(response.status).toBeGreaterThanOrEqual(400);
  const { entry } = (await readEntries(server)).at(-1) ?? {};
  const none = { user_id: null, channel_id: null, message_id: null };
  expect(entry).toMatchObject({ operation, status: response.status, ...none, ...ids });
});

test("the entry of a key, a webhook or an announcement names it, or the number of channels", async () => {
  const server = await requireServer("all");
  const user = { user_id: "kim_01", name: "Kim" };
  const channels = ["room_1", "room_2"].map((channel_id) => ({
    channel_id,
    name: "Lunch",
    members: ["kim_01"],
  }));
  await createWorld({ ...quiet, clock }, { users: [user], channels });
  const send = (method: string, path: string, body?: object) =>
    call(server.url, method, `/v1${path}`, { body });
  const { body: key } = await send("POST", "/applications/keys", {});
  await send("DELETE", "/applications/keys", { key: key.key });
  const { body: webhook } = await send("POST", "/webhooks", { url: "https://example.com/" });
  const path = `/webhooks/${webhook.webhook_id}`;
  await send("PUT", path, { description: "One" });
  await send("POST", `${path}/rotate`);
  await send("DELETE", path);
  await send("POST", "/messages", {
    channel_ids: ["room_1", "room_2", "room_1"],
    user_id: "kim_01",
    type: "text",
    content: "Hi",
  });
  const { body } = await call(server.url, "GET", "/v1/audit");
  const found = body.entries
    .map((entry: Record<string, string>) => [entry.operation, entry.subject])
    .reverse();
  expect(found).toEqual([
    ["keys.create", key.key_id],
    ["keys.delete", key.key_id],
    ["webhooks.create", webhook.webhook_id],
    ["webhooks.update", webhook.webhook_id],
    ["webhooks.rotate", webhook.webhook_id],
    ["webhooks.delete", webhook.webhook_id],
    ["messages.sendMany", "2"],
  ]);
});

describe("the entry of a change of a message names its sender", () => {
  const message = "/v1/group/channels/room_1/messages";
  test.each([
    ["messages.update", "PUT", "", { content: "Bye" }],
    ["messages.pin", "PUT", "/pin", undefined],
    ["messages.unpin", "DELETE", "/pin", undefined],
    ["messages.delete", "DELETE", "", undefined],
  ] as const)("%s", async (operation, method, path, body) => {
    const server = await requireServer("all");
    const { messageIds = [] } = await createWorld(
      { ...quiet, clock },
      {
        users: [
          { user_id: "kim_01", name: "Kim" },
          { user_id: "lee_02", name: "Lee" },
        ],
        channels: [{ channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"] }],
        messages: [
          { channel_id: "room_1", user_id: "kim_01", content: "Hi" },
          { channel_id: "room_1", user_id: "lee_02", content: "Hi" },
          { channel_id: "room_1", content: "Hi" },
        ],
      },
    );
    for (const [index, id] of messageIds.entries()) {
      const options = { ...(body && { body }), ...(index === 1 && { idempotencyKey: operation }) };
      expect(await call(server.url, method, `${message}/${id}${path}`, options)).toMatchObject({
        status: 200,
      });
    }
    const found = await call(server.url, "GET", "/v1/audit?user_id=lee_02");
    expect(found.body.entries).toMatchObject([{ operation, user_id: "lee_02", message_id: messageIds[1] }]);
    const entries = (await readEntries(server)).map(({ entry }) => [entry.user_id, entry.message_id]);
    expect(entries).toEqual([
      ["kim_01", messageIds[0]],
      ["lee_02", messageIds[1]],
      [null, messageIds[2]],
    ]);
  });
});

test.each([
  ["changes", "no entry", 0],
  ["all", "one entry", 1],
] as const)("with MADANG_AUDIT=%s, a send runs one statement and writes %s", async (audit, _, count) => {
  const names: string[] = [];
  const settings = { MADANG_AUDIT: audit };
  const server = await startServerOn(database.url, {
    settings,
    onStatement: (name) => void names.push(name),
  });
  await createWorld(
    { ...quiet, clock },
    {
      users: [{ user_id: "kim_01", name: "Kim" }],
      channels: [{ channel_id: "room_1", name: "Lunch", members: ["kim_01"] }],
    },
  );
  const body = { user_id: "kim_01", type: "text", content: "Hi" };
  const path = "/v1/group/channels/room_1/messages";
  names.length = 0;
  for (const idempotencyKey of [undefined, `send-${audit}`])
    expect(
      await call(server.url, "POST", path, { body, ...(idempotencyKey && { idempotencyKey }) }),
    ).toMatchObject({
      status: 201,
    });
  expect(names.filter((name) => name.startsWith("messages.send") || name.startsWith("audit."))).toEqual([
    "messages.send",
    "messages.send",
  ]);
  expect(await readEntries(server)).toHaveLength(2 * count);
  await server.close();
});

/** Fields whose values are ids. */
const idNames = new Set([
  "user_id",
  "channel_id",
  "message_id",
  "webhook_id",
  "hook_id",
  "device_id",
  "member",
  "manager",
  "members",
  "operation",
]);

/** What a request says beside ids, in an entry. */
function findLeaks({ request }: Interaction, found: readonly object[]): string[] {
  const said = [request?.params, request?.query, request?.body].flatMap((part) => listTexts(part));
  const recorded = listTexts(found);
  return said.filter((text) =>
    recorded.some((value) => value === text || (text.length > 5 && value.includes(text))),
  );
}

function listTexts(node: unknown): string[] {
  if (typeof node === "string") return node === "" ? [] : [node];
  if (Array.isArray(node)) return node.flatMap(listTexts);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => (idNames.has(name) ? [] : listTexts(value)));
}
