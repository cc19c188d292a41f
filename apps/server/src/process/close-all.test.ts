import { expect, test } from "vitest";
import { closeAll } from "./close-all";

test("everything is closed in reverse order, also after a step that fails, whose error is thrown then", async () => {
  const closed: string[] = [];
  const opened = ["PostgreSQL", "connections", "port"].map((name) => async () => {
    closed.push(name);
    if (name !== "PostgreSQL") throw new Error(name);
  });
  await expect(closeAll(opened)).rejects.toThrow("port");
  expect(closed).toEqual(["port", "connections", "PostgreSQL"]);
  await closeAll(opened);
  expect(closed).toHaveLength(3);
});
