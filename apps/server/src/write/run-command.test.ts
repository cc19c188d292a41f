import { afterAll, expect, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer } from "../../test/support/server";
import { defineCommand, type Locked } from "./command";
import { openWriter } from "./writer";

const server = await startServer();
afterAll(() => server.close());
for (const user_id of ["kim_01", "lee_02"])
  await call(server.url, "POST", "/v1/users", { body: { user_id, name: "Old" } });

/** Renames users after a lock that finds only those with a condition. */
const renameLocked = (name: string, condition: string) =>
  defineCommand<{ name: string }, "id" | "new_name">(
    `test.rename-${name}`,
    { id: "text", new_name: "text" },
    `effect AS (
      UPDATE users SET name = new_name FROM sent WHERE user_id = id AND deleted_at IS NULL RETURNING ordinal, name
    )`,
    {
      lock: {
        statement: {
          name: `test.lock-${name}`,
          text: `SELECT 1 AS position, user_id AS id FROM users
            WHERE user_id = ANY ($1::text[]) AND ${condition} ORDER BY pk FOR UPDATE`,
        } satisfies { row?: Locked; name: string; text: string },
        columns: ["id"],
      },
    },
  );

const nameOf = async (id: string) => (await call(server.url, "GET", `/v1/users/${id}`)).body.name;

test("a command runs after its lock, in one transaction, and stores its result", async () => {
  const key = { caller: "test", key: "rename", fingerprint: "00" };
  const rename = renameLocked("all", "true");
  const write = (newName: string) =>
    openWriter(server.db, { key }).write(rename, { id: "kim_01", new_name: newName });
  expect(await write("New")).toMatchObject([{ name: "New" }]);
  expect(await write("Newer")).toMatchObject([{ name: "New" }]);
  expect(await nameOf("kim_01")).toBe("New");
});

test("a row that the lock did not find, because it did not exist yet, is not changed", async () => {
  const key = { caller: "test", key: "unlocked", fingerprint: "00" };
  const rename = renameLocked("none", "name = 'nobody'");
  const written = await openWriter(server.db, { key }).write(rename, { id: "lee_02", new_name: "New" });
  expect(written).toEqual([]);
  expect(await nameOf("lee_02")).toBe("Old");
  const stored = { name: "test.find-stored", text: "SELECT FROM idempotency_keys WHERE key = 'unlocked'" };
  expect(await server.db.query(stored)).toEqual([]);
});
