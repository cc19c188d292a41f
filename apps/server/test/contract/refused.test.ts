import { limits, operations } from "@madang/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takesBody } from "../../src/http/operation";
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
  server = await startServerOn(proxied.url, { keyHeaders: ["x-api-key"] }, { connectTimeoutMs: 500 });
  subKey = await makeKey();
  deletedKey = await makeKey();
  await call(server.url, "DELETE", "/v1/applications/keys", { body: { key: deletedKey } });
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  await database.drop();
});

async function makeKey(): Promise<string> {
  return (await call(server.url, "POST", "/v1/applications/keys")).body.key;
}

const pathOf = (path: string) => path.replaceAll(/:\w+/g, "some_id");

function ask(
  { route }: (typeof operations)[number],
  headers: Record<string, string | string[]>,
  body?: string,
  query = "",
): Promise<Reply> {
  return raw(route.method, pathOf(route.path) + query, headers, body);
}

/** Without the key that `call` would send. */
async function raw(
  method: string,
  path: string,
  headers: Record<string, string | string[]>,
  body?: string,
): Promise<Reply> {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  const response = await fetch(server.url + path, {
    method,
    headers: pairs,
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

const right = { Authorization: `Bearer ${masterKey}` };

describe("who gets in", () => {
  const table = operations.flatMap((operation) => [
    { operation, who: "no key", headers: {}, status: 401 },
    { operation, who: "an empty key", headers: { Authorization: "Bearer " }, status: 401 },
    { operation, who: "another scheme", headers: { Authorization: `Basic ${masterKey}` }, status: 401 },
    { operation, who: "a key and more", headers: { Authorization: `Bearer ${masterKey} x` }, status: 401 },
    {
      operation,
      who: "an unknown key",
      headers: { Authorization: "Bearer mk_unknown-0123456789" },
      status: 401,
    },
    {
      operation,
      who: "the master key with its last letter changed",
      headers: { Authorization: `Bearer ${masterKey.slice(0, -1)}x` },
      status: 401,
    },
    {
      operation,
      who: "two different keys",
      headers: { ...right, "X-Api-Key": "mk_other-0123456789" },
      status: 401,
    },
    { operation, who: "the key in the query", headers: {}, query: `?key=${masterKey}`, status: 401 },
  ]);

  test.each(table)("$operation.id with $who: 401", async ({ operation, headers, query = "", status }) => {
    const reply = await ask(operation, headers, undefined, query);
    expect(reply).toMatchObject({ status, body: { code: "unauthenticated" } });
    expect(reply.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect(JSON.stringify(reply.body)).not.toContain(masterKey.slice(0, 12));
  });

  test.each(operations)("$id with a deleted sub key: 401", async (operation) => {
    expect((await ask(operation, { Authorization: `Bearer ${deletedKey}` })).status).toBe(401);
  });

  test.each(operations)("$id with a sub key: in, unless it is about keys", async (operation) => {
    const { status, body } = await ask(operation, { Authorization: `Bearer ${subKey}` });
    if (operation.access === "master_key") expect([status, body.code]).toEqual([403, "master_key_required"]);
    else expect([200, 201, 400, 404]).toContain(status);
  });
});

describe("with the database gone, what is refused is refused as ever: it takes no connection", () => {
  beforeAll(async () => {
    proxy.set({ onRequest: (_bytes, link) => void link.cut() });
    expect((await call(server.url, "GET", "/v1/users")).status).toBe(503);
  });
  afterAll(() => proxy.set({}));

  const json = { ...right, "Content-Type": "application/json" };
  const withBody = operations.filter(takesBody);
  const withCursor = operations.filter(({ id }) => /users\.list|listChannels|exports/.test(id));

  test.each(operations)("$id without a key or with a wrong one: 401", async (operation) => {
    expect((await ask(operation, {})).status).toBe(401);
    expect((await ask(operation, { Authorization: "Bearer mk_wrong-0123456789" })).status).toBe(401);
  });

  test.each(operations)("$id with an unknown parameter: 400", async (operation) => {
    const body = operation.route.method === "GET" ? undefined : "{}";
    expect((await ask(operation, json, body, "?unknown=1")).status).toBe(400);
  });

  test.each(operations.filter(({ route }) => route.method !== "GET"))(
    "$id with a bad idempotency key: 400",
    async (operation) => {
      const headers = { ...json, "Idempotency-Key": "a b" };
      expect((await ask(operation, headers, "{}")).status).toBe(400);
    },
  );

  test.each(withBody)(
    "$id with what is no JSON, too large, or of another type: 400, 413, 415",
    async (operation) => {
      expect((await ask(operation, json, "{")).status).toBe(400);
      expect((await ask(operation, json, '{"unknown": 1}')).status).toBe(400);
      expect((await ask(operation, json, " ".repeat(limits.bodyBytes + 1))).status).toBe(413);
      expect((await ask(operation, { ...right, "Content-Type": "text/plain" }, "{}")).status).toBe(415);
      expect((await ask(operation, { ...json, "Content-Encoding": "gzip" }, "{}")).status).toBe(415);
    },
  );

  test.each(withCursor)("$id with a forged cursor: 400", async (operation) => {
    expect((await ask(operation, right, undefined, "?next=forged.cursor")).body.code).toBe("invalid_cursor");
  });

  test.each([
    { method: "GET", path: "/v1/nothing", status: 404 },
    { method: "GET", path: "/v2/users", status: 404 },
    { method: "PATCH", path: "/v1/users", status: 405 },
    { method: "GET", path: "/v1/users/%ff", status: 400 },
    { method: "GET", path: "/healthz", status: 200 },
    { method: "GET", path: "/readyz", status: 503 },
  ])("$method $path: $status", async ({ method, path, status }) => {
    expect((await raw(method, path, right)).status).toBe(status);
  });
});
