import { expect, test } from "vitest";
import * as z from "zod";
import { describeIssue } from "./describe-issue";

const schema = z.strictObject({
  count: z.int(),
  status: z.enum(["open", "resolved"]),
  names: z.array(z.string()).min(1).max(2),
  note: z.string().max(3, "Must be short.").optional(),
});
const valid = { count: 1, status: "open", names: ["Kim"] };

test.each([
  [{ count: undefined }, "It is required."],
  [{ count: 1.5 }, "Must be a whole number."],
  [{ count: "1" }, "Must be a number."],
  [{ count: 1e300 }, "Must be at most 9007199254740991."],
  [{ count: -1e300 }, "Must be at least -9007199254740991."],
  [{ status: undefined }, "It is required."],
  [{ status: "closed" }, 'Must be "open" or "resolved".'],
  [{ names: {} }, "Must be an array."],
  [{ names: [] }, "Must contain at least 1 item."],
  [{ names: ["Kim", "Lee", "Park"] }, "Must contain at most 2 items."],
  [{ note: "long" }, "Must be short."],
])("%j: %s", (wrong, message) => {
  const { error } = schema.safeParse({ ...valid, ...wrong }, { error: describeIssue });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
