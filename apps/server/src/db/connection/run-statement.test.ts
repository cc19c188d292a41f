import { afterAll, beforeEach, expect, test } from "vitest";
import { startServer } from "../../../test/support/server";

const server = await startServer({ maxConnections: 1 });
afterAll(() => server.close());

test("64-bit integers are numbers; JSON, bytes, arrays and NULL are returned as they were sent", async () => {
  const echo = {
    name: "echo",
    text: "SELECT $1::bigint AS n, $2::jsonb AS j, $3::bytea AS b, $4::text[] AS t",
  };
  const strings = ['"', "\\", "{}", ",", "NULL", "", "\n", "한글 😀", null];
  const [row] = await server.db.query(echo, [2 ** 52, { 한글: '"' }, Buffer.from([0, 255]), strings]);
  expect(row).toEqual({ n: 2 ** 52, j: { 한글: '"' }, b: Buffer.from([0, 255]), t: strings });
});

test("a statement that failed runs again on the same connection", async () => {
  const divide = { name: "divide", text: "SELECT 1 / $1::int AS value" };
  await expect(server.db.query(divide, [0])).rejects.toThrow("division by zero");
  expect(await server.db.query(divide, [1])).toEqual([{ value: 1 }]);
});

const drop = { name: "drop", text: "DROP TABLE IF EXISTS things" };
const create = { name: "create", text: "CREATE TABLE things AS SELECT 1 AS count, 'a' AS name" };
const read = { name: "read", text: "SELECT count, name FROM things" };
const migrate = { name: "migrate", text: "ALTER TABLE things ALTER COLUMN count TYPE bigint" };
beforeEach(async () => {
  await server.db.query(drop);
  await server.db.query(create);
  await server.db.query(read);
});

test("a statement that was prepared before a migration runs after it", async () => {
  await server.db.query(migrate);
  expect(await server.db.query(read)).toEqual([{ count: 1, name: "a" }]);
});

test("a transaction that was prepared before a migration runs after it, however many of its statements are affected", async () => {
  const others = ["count", "count + 0 AS more", "*", "max(count)"].map((columns) => ({
    name: `read ${columns}`,
    text: `SELECT ${columns} FROM things`,
  }));
  for (const statement of others) await server.db.query(statement);
  await server.db.query(migrate);
  const results = await server.db.transaction(async (tx) => {
    await tx.query({ name: "rename", text: "UPDATE things SET name = name || 'b'" });
    const rows = [await tx.query(read)];
    for (const statement of others) rows.push(await tx.query(statement));
    return rows;
  });
  expect(results[0]).toEqual([{ count: 1, name: "ab" }]);
});
