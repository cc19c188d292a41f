import { expect, test } from "vitest";
import { fillMeta } from "./meta";

const bare = { updated_at: 1 };
const filled = { updated_at: 1, meta: {} };

test.each([
  ["a user", bare, filled],
  ["a list", [bare, bare], [filled, filled]],
  ["a page of users", { users: [bare] }, { users: [filled] }],
  ["a page of channels", { channels: [bare] }, { channels: [filled] }],
  [
    "messages with senders",
    { messages: [{ ...bare, user: bare }] },
    { messages: [{ ...filled, user: filled }] },
  ],
  ["a channel with members", { ...bare, members: [bare] }, { ...filled, members: [filled] }],
  ["what has pairs", { ...bare, meta: { a: "b" } }, { ...bare, meta: { a: "b" } }],
  ["a null", { ...bare, meta: null }, filled],
  ["a sub key, which has none", [{ key: "sk_1", created_at: 1 }], [{ key: "sk_1", created_at: 1 }]],
  ["nonsense", [null, 1, "x"], [null, 1, "x"]],
])("%s", (_, answer, expected) => {
  const copy = structuredClone(answer);
  fillMeta(copy);
  expect(copy).toEqual(expected);
});
