import { expect, test } from "vitest";
import { defineCommand, isFirst } from "./command";

test("a command that would make its change again for a repeated request is not defined", () => {
  const change = "effect AS (UPDATE things SET name = $1";
  expect(() => defineCommand("things.rename", `${change} RETURNING pk)`)).toThrow("things.rename");
  const { statement } = defineCommand("things.rename", `${change} WHERE ${isFirst} RETURNING pk)`);
  expect(statement.name).toBe("things.rename");
});
