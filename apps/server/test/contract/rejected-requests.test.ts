import { operations } from "@madang/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takesBody } from "../../src/http/request/operation";
import { call, type Reply } from "../support/call";
import { createDatabase } from "../support/database";
import { startPostgresProxy } from "../support/postgres-proxy";
import { masterKey, startServerOn, type TestServer } from "../support/server";
import type { TcpProxy } from "../support/tcp-proxy";

let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: TcpProxy;
let server: TestServer;
let subKey: string;
let deletedKey: string;
beforeAll(async () => {
  database = await createDatabase();
  const proxied = await startPostgresProxy(database.url);
  proxy = proxied.proxy;
  server = await startServerOn(proxied.url, {
    settings: { MADANG_KEY_HEADERS: "x-api-key" },
  });
  subKey = await createKey();
  deletedKey = await createKey();
  await call(server.url, "DELETE", "/v1/applications/keys", { body: { key: deletedKey } });
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  await database.drop();
});

async function createKey(): Promise<string> {
  return (await call(server.url, "POST", "/v1/applications/keys")).body.key;
}

/** Sends a request to an operation with only these headers; `call` would add a key. */
function sendTo(
  { route }: (typeof operations)[number],
  headers: Record<string, string>,
  body?: string,
  query = "",
): Promise<Reply> {
  return send(route.method, route.path.replaceAll(/:\w+/g, "some_id") + query, headers, body);
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Reply> {
  const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

const authorized = { Authorization: `Bearer ${masterKey}` };

/** One middleware reads the keys of all operations: one for each method and each kind of access is called in every form. */
const representatives = [
  ...Map.groupBy(operations, ({ access, route }) => `${access} ${route.method}`).values(),
].flatMap(([first]) => first ?? []);

describe.each(representatives)("keys of $id", (operation) => {
  test.each([
    { credentials: "no key", headers: {} },
    { credentials: "an empty key", headers: { Authorization: "Bearer " } },
    { credentials: "another scheme", headers: { Authorization: `Basic ${masterKey}` } },
    { credentials: "text after the key", headers: { Authorization: `Bearer ${masterKey} x` } },
    { credentials: "an unknown key", headers: { Authorization: "Bearer mk_unknown-0123456789" } },
    {
      credentials: "the master key with another last letter",
      headers: { Authorization: `Bearer ${masterKey.slice(0, -1)}x` },
    },
    { credentials: "two different keys", headers: { ...authorized, "X-Api-Key": "mk_other-0123456789" } },
    { credentials: "the key in the query", headers: {}, query: `?key=${masterKey}` },
  ])("$credentials: the request gets 401", async ({ headers, query }) => {
    const reply = await sendTo(operation, headers, undefined, query);
    expect(reply).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(reply.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(JSON.stringify(reply.body)).not.toContain(masterKey.slice(0, 12));
  });

  test("a deleted sub key gets 401", async () => {
    expect((await sendTo(operation, { Authorization: `Bearer ${deletedKey}` })).status).toBe(401);
  });
});

test.each(operations)(
  "a sub key without scopes may call $id, unless it requires the master key or a scope",
  async (operation) => {
    const { status, body } = await sendTo(operation, { Authorization: `Bearer ${subKey}` });
    if (operation.access === "master_key") expect([status, body.code]).toEqual([403, "master_key_required"]);
    else if (operation.access === "named_scope") expect([status, body.code]).toEqual([403, "scope_missing"]);
    else expect([200, 201, 400, 404]).toContain(status);
  },
);

describe("without a database, invalid requests are rejected without a connection", () => {
  beforeAll(async () => {
    proxy.set({ onRequest: (_bytes, link) => void link.cut() });
    expect((await call(server.url, "GET", "/v1/users")).status).toBe(503);
  });
  afterAll(() => proxy.set({}));

  const json = { ...authorized, "Content-Type": "application/json" };
  const lists = ["users.list", "channels.list", "exports.messages"];

  test.each(operations)("$id without a key or with an unknown one gets 401", async (operation) => {
    expect((await sendTo(operation, {})).status).toBe(401);
    expect((await sendTo(operation, { Authorization: "Bearer mk_wrong-0123456789" })).status).toBe(401);
  });

  test.each(operations)("$id with an unknown parameter gets 400", async (operation) => {
    const body = operation.route.method === "GET" ? undefined : "{}";
    expect((await sendTo(operation, json, body, "?unknown=1")).status).toBe(400);
  });

  test.each(operations.filter(({ route }) => route.method !== "GET"))(
    "$id with an invalid idempotency key: 400",
    async (operation) => {
      const headers = { ...json, "Idempotency-Key": "a b" };
      expect((await sendTo(operation, headers, "{}")).status).toBe(400);
    },
  );

  test.each(operations.filter(takesBody))(
    "$id with a body that is invalid, too large or of another type: 400, 413, 415",
    async (operation) => {
      expect((await sendTo(operation, json, "{")).status).toBe(400);
      expect((await sendTo(operation, json, '{"unknown": 1}')).status).toBe(400);
      expect((await sendTo(operation, json, " ".repeat(operation.maxBodyBytes + 1))).status).toBe(413);
      expect((await sendTo(operation, { ...authorized, "Content-Type": "text/plain" }, "{}")).status).toBe(
        415,
      );
      expect((await sendTo(operation, { ...json, "Content-Encoding": "gzip" }, "{}")).status).toBe(415);
    },
  );

  test.each(operations.filter(({ id }) => lists.includes(id)))(
    "$id with a forged cursor: 400",
    async (operation) => {
      const { body } = await sendTo(operation, authorized, undefined, "?next=forged.cursor");
      expect(body.code).toBe("invalid_cursor");
    },
  );

  test.each([
    { method: "GET", path: "/v1/nothing", status: 404 },
    { method: "GET", path: "/v2/users", status: 404 },
    { method: "PATCH", path: "/v1/users", status: 405 },
    { method: "GET", path: "/v1/users/%ff", status: 400 },
    { method: "GET", path: "/healthz", status: 200 },
    { method: "GET", path: "/readyz", status: 200 },
  ])("$method $path gets $status", async ({ method, path, status }) => {
    expect((await send(method, path, authorized)).status).toBe(status);
  });
});
