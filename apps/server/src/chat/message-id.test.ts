import { expect, test } from "vitest";
import { findPosition, formatMessageId, requirePosition } from "./message-id";

test.each([
  ["1700000000000-1042", { createdAt: 1_700_000_000_000, pk: 1_042 }],
  ["0-1", { createdAt: 0, pk: 1 }],
  ["9007199254740991-9007199254740991", { createdAt: 2 ** 53 - 1, pk: 2 ** 53 - 1 }],
])("%s is a position, and the id of no other one", (id, position) => {
  expect(findPosition(id)).toEqual(position);
  expect(formatMessageId(position)).toBe(id);
});

test.each([
  "",
  "1042",
  "1-",
  "-1",
  "1-0",
  "01-1",
  "1-01",
  "1-1-1",
  "1 -1",
  "x1-1",
  "1-1x",
  "1-1\n",
  "9007199254740992-1",
  "1-9007199254740992",
  "12345678901234567-1",
])("%j is not a message id", (id) => {
  expect(findPosition(id)).toBeUndefined();
  expect(() => requirePosition("room", id)).toThrow(
    `There is no message ${JSON.stringify(id)} in the channel room.`,
  );
});
