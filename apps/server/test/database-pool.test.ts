import { listInteractions } from "@madang/contract-tests";
import { beforeAll, expect, test } from "vitest";
import { createDatabase, postgresUrl } from "./support/database";
import { DatabasePool } from "./support/database-pool";
import { queryOnce } from "./support/query-once";
import { replay } from "./support/replay";
import { startServerOn } from "./support/server";
import { createWorld } from "./support/world";

const rowsOf = async (url: string) => {
  const tables = await queryOnce<{ name: string }>(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return Promise.all(
    tables.map(async ({ name }) => [name, await queryOnce(url, `SELECT * FROM ${name} t ORDER BY t::text`)]),
  );
};

const sequencesOf = (url: string) =>
  queryOnce(url, "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1");

let pool: DatabasePool;
/** The database that the next test changes: making one takes longer than the rest. */
let url: string;
beforeAll(async () => {
  pool = new DatabasePool(await postgresUrl());
  url = await pool.take();
});

test("a database that a file gives back has the rows and sequences of a new one", async () => {
  const server = await startServerOn(url);
  for (const operation of ["messages.reactions.add", "webhooks.create", "privacy.erase", "files.create"]) {
    const accepted = listInteractions().find(
      (one) => one.operation === operation && one.response.status < 300,
    );
    if (accepted === undefined) throw new Error(`There is no interaction of ${operation}.`);
    const created = await createWorld({ ...server, clock: { now: 0 } }, accepted.given ?? {});
    expect((await replay(server.url, accepted, created)).status).toBeLessThan(300);
  }
  await server.close();
  await pool.giveBack(url);
  expect(await pool.take()).toBe(url);
  const untouched = await createDatabase();
  expect(await rowsOf(url)).toEqual(await rowsOf(untouched.url));
  expect(await sequencesOf(url)).toEqual(await sequencesOf(untouched.url));
  await untouched.drop();
});

test.each([
  ["a renamed column", "ALTER TABLE users RENAME COLUMN name TO called"],
  ["a renamed table", "ALTER TABLE webhook_attempts RENAME TO lost"],
  ["another index", "CREATE INDEX extra ON users (name)"],
  [
    "another trigger",
    "CREATE TRIGGER extra BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
  ],
  ["a dropped constraint", "ALTER TABLE channels ALTER COLUMN name DROP NOT NULL"],
  ["another schema", "CREATE SCHEMA extra"],
  [
    "statistics",
    "INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('kim_01', 'Kim', 0, 0); ANALYZE users",
  ],
  [
    "a setting",
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 64', current_database()); END $$",
  ],
])("a database with %s is given to no other file", async (_, change) => {
  const changed = url;
  await queryOnce(changed, change);
  await pool.giveBack(changed);
  url = await pool.take();
  expect(url).not.toBe(changed);
});
