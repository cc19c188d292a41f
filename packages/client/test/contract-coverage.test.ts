import { operations } from "@madang/contract";
import { describe, expect, test } from "vitest";
import { ChatClient } from "../src/index";
import { type Route, routes } from "../src/routes";
import { methodOf } from "./contract-names";

test("the table of routes is that of the contract", () => {
  const expected = operations.map(({ id, route, idempotent }) => {
    const success = Object.entries(route.responses).find(([status]) => status.startsWith("2"))?.[1];
    const isEmpty = typeof success === "symbol";
    return [
      methodOf[id],
      {
        method: route.method,
        path: route.path,
        ...(isEmpty && { empty: true }),
        ...(!idempotent && { once: true }),
      },
    ];
  });
  const table = Object.entries<Route>(routes).map(([name, { gone: _, ...route }]) => [name, route]);
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(expected));
});

test("only a DELETE has a refusal that says it is done, and one that its operation can answer", () => {
  const deletes = operations.filter(({ route }) => route.method === "DELETE");
  for (const [name, { gone }] of Object.entries<Route>(routes))
    if (gone !== undefined) {
      const operation = deletes.find(({ id }) => methodOf[id] === name);
      const refusal = operation?.route.responses[404] as unknown as {
        shape: { code: { options: string[] } };
      };
      expect(refusal.shape.code.options).toContain(gone);
    }
});

// Every method with everything that it takes. What arrives is held against the contract.
const meta = { team: "blue" };
const file = { type: "image/png", name: "a.png", url: "https://example.com/a.png", size: 1 };
const everything: Record<keyof typeof routes, ((chat: ChatClient) => PromiseLike<unknown>)[]> = {
  "users.list": [
    (chat) => chat.users.list({ pageSize: 5, name: "Kim", base_user_id: "kim_01" }),
    (chat) => chat.users.list({ cursor: "abc" }),
  ],
  "users.get": [(chat) => chat.users.get("kim_01")],
  "users.create": [
    (chat) => chat.users.create({ user_id: "kim_01", name: "Kim", profile_url: "https://example.com", meta }),
  ],
  "users.update": [(chat) => chat.users.update("kim_01", { name: "Kim", profile_url: "" })],
  "users.delete": [(chat) => chat.users.delete("kim_01")],
  "users.meta.merge": [(chat) => chat.users.meta.merge("kim_01", meta)],
  "users.meta.delete": [(chat) => chat.users.meta.delete("kim_01", ["team"])],
  "users.meta.deleteKey": [(chat) => chat.users.meta.deleteKey("kim_01", "team")],
  "channels.create": [
    (chat) =>
      chat.channels.create({
        channel_id: "room_1",
        name: "Lunch",
        profile_url: "",
        members: ["kim_01"],
        reuse: true,
        meta,
      }),
  ],
  "channels.list": [
    (chat) => chat.channels.list({ pageSize: 5 }),
    (chat) => chat.channels.list({ cursor: "abc" }),
  ],
  "channels.get": [(chat) => chat.channels.get("room_1")],
  "channels.update": [(chat) => chat.channels.update("room_1", { name: "Dinner", profile_url: "" })],
  "channels.delete": [(chat) => chat.channels.delete("room_1")],
  "channels.freeze": [(chat) => chat.channels.freeze("room_1", true)],
  "channels.members.list": [(chat) => chat.channels.members.list("room_1")],
  "channels.members.join": [(chat) => chat.channels.members.join("room_1", "kim_01")],
  "channels.members.leave": [(chat) => chat.channels.members.leave("room_1", "kim_01")],
  "channels.managers.list": [(chat) => chat.channels.managers.list("room_1")],
  "channels.managers.add": [(chat) => chat.channels.managers.add("room_1", "kim_01")],
  "channels.managers.remove": [(chat) => chat.channels.managers.remove("room_1", "kim_01")],
  "channels.managers.revoke": [(chat) => chat.channels.managers.revoke("room_1", "kim_01")],
  "messages.send": [
    (chat) => chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hi", meta }),
    (chat) => chat.messages.send("room_1", { user_id: "kim_01", type: "file", file, meta }),
  ],
  "exports.messages": [
    (chat) =>
      chat.exports.messages("room_1", {
        pageSize: 100,
        start_date: "2024-01-01",
        end_date: "2024-01-31",
        timezone: "Asia/Seoul",
      }),
    (chat) => chat.exports.messages("room_1", { cursor: "abc" }),
  ],
  "keys.list": [(chat) => chat.keys.list()],
  "keys.create": [(chat) => chat.keys.create()],
  "keys.delete": [(chat) => chat.keys.delete("sk_1")],
  "keys.revoke": [(chat) => chat.keys.revoke("sk_1")],
};

describe("every parameter of the contract has its option", () => {
  test.each(operations.map((operation) => [methodOf[operation.id], operation] as const))(
    "%s",
    async (name, { route }) => {
      const sent = { query: new Set<string>(), body: new Set<string>() };
      for (const call of everything[name]) {
        const { method, path, query, body } = await record(call);
        expect(method).toBe(route.method);
        expect(path).toMatch(new RegExp(`^${route.path.replace(/:\w+/g, "[a-z0-9_]{4,80}")}$`));
        expect(validate(route.query, query)).toBe(true);
        if ("body" in route && isSchema(route.body)) expect(validate(route.body, body)).toBe(true);
        for (const key of Object.keys(query)) sent.query.add(key);
        for (const key of Object.keys(body ?? {})) sent.body.add(key);
      }
      const takesKey = "headers" in route && "idempotency-key" in (route.headers ?? {});
      expect(takesKey).toBe(route.method !== "GET");
      expect(sent.query).toEqual(new Set(findKeys(route.query)));
      expect(sent.body).toEqual(new Set(findKeys("body" in route ? route.body : undefined)));
    },
  );
});

interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: object | undefined;
}

async function record(call: (chat: ChatClient) => PromiseLike<unknown>): Promise<Sent> {
  const sent: Sent[] = [];
  const chat = new ChatClient({
    baseUrl: "http://service.test",
    apiKey: "key",
    fetch: async (url, { method, body }) => {
      const { pathname, searchParams } = new URL(url);
      sent.push({
        method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        body: body === undefined ? undefined : JSON.parse(body),
      });
      return new Response(null, { status: 400 });
    },
  });
  await expect(call(chat)).rejects.toMatchObject({ kind: "api" });
  expect(sent).toHaveLength(1);
  const [only] = sent;
  if (!only) throw new Error("nothing was sent");
  return only;
}

interface Schema {
  safeParse(value: unknown): { success: boolean };
  shape?: Record<string, unknown>;
  options?: Schema[];
  unwrap?(): Schema;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "safeParse" in value;
}

function validate(schema: unknown, value: unknown): boolean {
  return isSchema(schema) && schema.safeParse(value).success;
}

function findKeys(schema: unknown): string[] {
  if (!isSchema(schema)) return [];
  if (schema.shape) return Object.keys(schema.shape);
  if (schema.options) return schema.options.flatMap(findKeys);
  return findKeys(schema.unwrap?.());
}
