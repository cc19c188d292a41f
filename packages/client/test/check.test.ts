import { operations } from "@madang/contract";
import { describe, expect, test } from "vitest";
import { checkAnswer } from "../src/check";
import type { Operation } from "../src/index";
import { methodOf } from "./contract-names";

const user = { user_id: "kim_01", name: "Kim", profile_url: "https://example.com", meta: { a: "b" } };
const times = { created_at: 1, updated_at: 2 };
const sender = { ...user, ...times };
const channel = {
  ...{
    channel_id: "room_1",
    name: "Lunch",
    profile_url: "https://example.com",
    type: "group",
    freeze: false,
  },
  ...{ total_message_count: 1, total_file_count: 0, meta: {}, ...times },
};
const envelope = { message_id: "1", channel_id: "room_1", user: sender, meta: {}, ...times };
const text = { ...envelope, type: "text", content: "Hi" };
const file = {
  ...envelope,
  type: "file",
  file: { type: "a/b", name: "a", url: "https://example.com", size: 1 },
};
const member = { ...sender, joined_at: 3 };
const subKey = { key: "sk_1", created_at: 1 };

const samples: Partial<Record<Operation, unknown[]>> = {
  "users.list": [{ users: [sender, sender], next: "abc" }, [sender], { users: [] }],
  "users.get": [sender],
  "users.create": [sender],
  "users.update": [sender],
  "users.meta.merge": [sender],
  "users.meta.delete": [sender],
  "users.meta.deleteKey": [sender],
  "channels.create": [{ ...channel, members: [sender] }],
  "channels.list": [{ channels: [channel], next: "abc" }],
  "channels.get": [channel],
  "channels.update": [channel],
  "channels.freeze": [channel],
  "channels.members.list": [[member]],
  "channels.managers.list": [[member]],
  "messages.send": [text, file],
  "exports.messages": [{ messages: [text, file], timezone: "UTC", next: "abc" }],
  "keys.list": [[subKey]],
  "keys.create": [subKey],
};

const withBody = operations.flatMap(({ id, route }) => {
  const schema = route.responses[200] ?? route.responses[201];
  if (typeof schema !== "object" || schema === null || !("safeParse" in schema)) return [];
  const { safeParse } = schema as { safeParse(value: unknown): { success: boolean } };
  return [{ name: methodOf[id], isRight: (value: unknown) => safeParse(value).success }];
});

test("every answer with a body has a sample", () => {
  expect(Object.keys(samples).sort()).toEqual(withBody.map(({ name }) => name).sort());
});

describe("says of every sample and every way to spoil it what the contract says", () => {
  test.each(withBody)("$name", ({ name, isRight }) => {
    for (const sample of samples[name] ?? []) {
      expect(checkAnswer(name, sample)).toBeUndefined();
      expect(isRight(sample)).toBe(true);
      for (const { spoiled, how } of spoil(sample, "")) {
        const isChecked = checkAnswer(name, spoiled) === undefined;
        const isLenient = /meta = nothing$/.test(how) || /(?<!file)\.type = "other"$/.test(how);
        expect(isChecked, `${how}: ${checkAnswer(name, spoiled)}`).toBe(isRight(spoiled) || isLenient);
      }
    }
  });
});

test("lets new fields and new types of messages pass", () => {
  expect(checkAnswer("users.get", { ...sender, mood: "fine" })).toBeUndefined();
  expect(checkAnswer("messages.send", { ...envelope, type: "poll", poll: {} })).toBeUndefined();
});

test("names the field and never its value", () => {
  const answer = { messages: [text, { ...text, content: 42 }], timezone: "UTC" };
  expect(checkAnswer("exports.messages", answer)).toBe(".messages[1].content is no string");
});

/** Every copy in which one place holds something else, or nothing. */
function* spoil(value: unknown, path: string): Generator<{ spoiled: unknown; how: string }> {
  for (const other of [null, "other", 1.5, 7, true, [], {}])
    yield { spoiled: other, how: `${path} = ${JSON.stringify(other)}` };
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
