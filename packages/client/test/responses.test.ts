import { operations } from "@madang/contract";
import { describe, expect, test } from "vitest";
import { routes } from "../src/generated/routes";
import { ChatClient } from "../src/index";
import type { Route } from "../src/route";

const everything = Number.POSITIVE_INFINITY;

/** The operations whose responses have a body, with the examples of the contract. */
const withBody = operations.flatMap(({ id, route, variantOf, examples: { responses = {} } }) => {
  const schema = route.responses[200] ?? route.responses[201] ?? route.responses[202];
  if (typeof schema !== "object" || schema === null || !("safeParse" in schema)) return [];
  const { safeParse } = schema as { safeParse(value: unknown): { success: boolean } };
  const samples = Object.values(responses).map(({ value }) => value);
  return [{ id, variantOf, samples, isRight: (value: unknown) => safeParse(value).success }];
});

function shapeOf(id: keyof typeof routes) {
  const { response }: Route = routes[id];
  if (!response) throw new Error(`The response of ${id} has no body.`);
  return response;
}

test.each(withBody)(
  "the full check agrees with the contract about every example of $id and every way to spoil it",
  ({ id, samples, isRight }) => {
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      expect(shapeOf(id)(sample, everything)).toBeUndefined();
      for (const { spoiled, how } of spoil(sample, "")) {
        const fault = shapeOf(id)(spoiled, everything);
        // An absent `meta` is filled in. Of an event, only the fields that every event has are checked.
        const isLenient =
          how.endsWith(".meta = nothing") || /^\.events\.\d+\.(user_id|channel_id|data)\b/.test(how);
        expect(fault === undefined, `${how}: ${fault}`).toBe(isRight(spoiled) || isLenient);
      }
    }
  },
);

function clientOf(body: unknown, check = false) {
  return new ChatClient({
    baseUrl: "http://proxy.test",
    apiKey: "key",
    fetch: async () => Response.json(body),
    check,
  });
}

const times = { created_at: 1, updated_at: 2 };
const user = { user_id: "kim_01", name: "Kim", meta: {}, ...times };
const message = {
  message_id: "1",
  channel_id: "room_1",
  user,
  type: "text",
  content: "Hi",
  meta: {},
  ...times,
};

test.each(["reaction", "constructor"])(
  "a message of a type of a newer server is returned, with or without a user: %s",
  async (type) => {
    const { user: _, content: __, ...bare } = message;
    for (const check of [false, true])
      for (const found of [
        { ...message, type },
        { ...bare, type },
      ]) {
        expect(await clientOf(found, check).messages.get("room_1", "1")).toEqual(found);
        const page = { messages: [message, found], timezone: "UTC" };
        expect(await clientOf(page, check).exports.messages("room_1").toArray()).toEqual(page.messages);
      }
  },
);

test("a message without the fields of its type is a ParseError", async () => {
  const { user: _, ...bare } = message;
  await expect(clientOf(bare).messages.get("room_1", "1")).rejects.toMatchObject({ name: "ParseError" });
});

describe("JSON that is not of the service is a ParseError, with and without the full check", () => {
  const calls: [string, (chat: ChatClient) => PromiseLike<unknown>][] = [
    ["a user", (chat) => chat.users.get("kim_01")],
    [
      "a created channel",
      (chat) => chat.channels.create({ channel_id: "room_1", name: "Lunch", members: [] }),
    ],
    ["a list of members", (chat) => chat.channels.members.list("room_1")],
    ["a page of users", (chat) => chat.users.list().firstPage()],
    ["a page of channels", (chat) => chat.channels.list().firstPage()],
    ["a page of an export", (chat) => chat.exports.messages("room_1").firstPage()],
    ["a message", (chat) => chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hi" })],
    ["a sub key", (chat) => chat.keys.create()],
  ];
  test.each(calls)("instead of %s", async (_, call) => {
    for (const body of [{ hello: 1 }, [{ hello: 1 }], {}, [null], "hello", 1, null])
      for (const check of [false, true])
        await expect(call(clientOf(body, check)), JSON.stringify(body)).rejects.toMatchObject({
          kind: "parse",
          status: 200,
        });
  });

  test("an error that names the field, and never its value", async () => {
    const failure = clientOf({ ...user, name: 42 }).users.get("kim_01");
    await expect(failure).rejects.toThrow(/the body\.name is not a string/);
  });
});

test("only the full check looks into nested values", async () => {
  const page = { messages: [message, { ...message, content: 42 }], timezone: "UTC" };
  await expect(clientOf(page).exports.messages("room_1").firstPage()).resolves.toMatchObject({
    items: page.messages,
  });
  const checked = clientOf(page, true).exports.messages("room_1").toArray();
  await expect(checked).rejects.toThrow(/\.messages\[1\]\.content is not a string/);
});

test("new fields and new types of messages are allowed", async () => {
  const poll = { ...message, type: "poll", content: undefined, poll: {} };
  expect(await clientOf({ ...user, mood: "fine" }, true).users.get("kim_01")).toMatchObject({ mood: "fine" });
  expect(
    await clientOf({ messages: [poll], timezone: "UTC" }, true)
      .exports.messages("room_1")
      .toArray(),
  ).toEqual([JSON.parse(JSON.stringify(poll))]);
});

test("a null in an optional field counts as absent", async () => {
  const page = await clientOf({ users: [user], next: null })
    .users.list()
    .firstPage();
  expect(page).toEqual({ items: [user], index: 0, itemsSoFar: 1 });
  await expect(
    clientOf({ users: [user], next: 5 })
      .users.list()
      .firstPage(),
  ).rejects.toMatchObject({ kind: "parse" });
});

describe("an absent meta is an empty one, wherever it belongs", () => {
  const bare = { ...user, meta: undefined };
  const filled = { ...user, meta: {} };
  test.each<[string, keyof typeof routes, unknown, unknown]>([
    ["a user", "users.get", bare, filled],
    ["a user with null", "users.get", { ...user, meta: null }, filled],
    ["a user with pairs", "users.get", { ...user, meta: { a: "b" } }, { ...user, meta: { a: "b" } }],
    ["a bare array", "users.list", [bare, bare], [filled, filled]],
    ["a page of users", "users.list", { users: [bare] }, { users: [filled] }],
    [
      "a channel with members",
      "channels.create",
      { meta: {}, members: [bare] },
      { meta: {}, members: [filled] },
    ],
    [
      "a message and its sender",
      "messages.send",
      { type: "text", user: bare },
      { type: "text", meta: {}, user: filled },
    ],
    [
      "a page of messages",
      "exports.messages",
      { messages: [{ type: "text", user: bare }] },
      { messages: [{ type: "text", meta: {}, user: filled }] },
    ],
    [
      "what may be absent",
      "messages.sendMany",
      { results: [{ message: { type: "text" } }, {}] },
      { results: [{ message: { type: "text", meta: {} } }, {}] },
    ],
    ["a sub key, which has none", "keys.create", { key: "sk_1" }, { key: "sk_1" }],
    ["other values", "users.list", [null, 1, "x"], [null, 1, "x"]],
  ])("%s", (_, id, data, expected) => {
    const copy = structuredClone(data);
    shapeOf(id)(copy, 0);
    expect(copy).toEqual(expected);
  });
});

/**
 * Every copy in which one value is missing or replaced. No string is replaced by another: the SDK accepts any string where
 * the contract lists some.
 */
function* spoil(value: unknown, path: string): Generator<{ spoiled: unknown; how: string }> {
  const others = [null, 1.5, 7, true, [], {}, ...(typeof value === "string" ? [] : ["other"])];
  for (const other of others) yield { spoiled: other, how: `${path} = ${JSON.stringify(other)}` };
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const replace = (spoiled: unknown) =>
      Array.isArray(value) ? value.with(Number(name), spoiled) : { ...value, [name]: spoiled };
    if (!Array.isArray(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      yield { spoiled: rest, how: `${path}.${name} = nothing` };
    }
    for (const { spoiled, how } of spoil(part, `${path}.${name}`)) yield { spoiled: replace(spoiled), how };
  }
}
