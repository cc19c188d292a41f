import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { call, callPatiently } from "../../../test/support/call";
import { createDatabase, postgresUrl } from "../../../test/support/database";
import { addMigrations } from "../../../test/support/migrations";
import { expectWithinIfLong } from "../../../test/support/report";
import { startServer } from "../../../test/support/server";
import { migrate } from "./migrate";
import { readMigrationStatus } from "./migrations";

const postgres = await postgresUrl();

const name = `empty_${randomBytes(6).toString("hex")}`;
const urlOf = (database: string) => postgres.replace(/[^/?]*(?=\?|$)/, database);
const administrator = new pg.Client({ connectionString: urlOf("postgres") });
const url = urlOf(name);

beforeAll(async () => {
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${name}`);
});
afterAll(async () => {
  await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await administrator.end();
});

test("several processes may migrate an empty database concurrently, and each migration is applied once", async () => {
  const { pending } = await readMigrationStatus(url);
  expect(pending.length).toBeGreaterThan(0);
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  expect(applied.flat().sort()).toEqual(pending);
  expect(await readMigrationStatus(url)).toEqual({ applied: pending, pending: [] });
  expect(await migrate(url)).toEqual([]);
});

test("a migration waits for another process, whatever time limits the role has", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET lock_timeout = 1`);
  await client.query("BEGIN");
  // The lock of the migrations.
  await client.query("SELECT pg_advisory_xact_lock(7262414001)");
  let isMigrated = false;
  const progress: string[] = [];
  const migrated = migrate(url, { onProgress: (line) => progress.push(line) }).finally(() => {
    isMigrated = true;
  });
  await expect.poll(() => progress).not.toEqual([]);
  expect(progress[0]).toMatch(
    /^waits for another migration, of .+ \(process \d+ of PostgreSQL, .+ for \d+ s\)$/,
  );
  expect(isMigrated).toBe(false);
  await client.query("COMMIT");
  expect(await migrated).toEqual([]);
  await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${name} RESET lock_timeout`);
  await client.end();
});

test("while a long reader blocks a migration, messages are sent, and the migration says who blocks it", async () => {
  const folder = await addMigrations({
    "90000101000000_column/migration.sql": `ALTER TABLE "channels" ADD COLUMN "one" INTEGER;
ALTER TABLE "messages" ADD COLUMN "two" INTEGER;
`,
    "90000102000000_index/migration.sql": `-- no-transaction
DROP INDEX CONCURRENTLY IF EXISTS "messages_two";
CREATE INDEX CONCURRENTLY "messages_two" ON "messages" ("two");
`,
  });
  const server = await startServer();
  onTestFinished(() => server.close());
  const send = async () => {
    const startedAt = performance.now();
    const body = { user_id: "kim_01", type: "text", content: "Hello" };
    const path = "/v1/group/channels/lunch_01/messages";
    const { status } = await callPatiently(server.url, "POST", path, { body });
    return { status, ms: performance.now() - startedAt };
  };
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  const channel = { channel_id: "lunch_01", name: "Lunch", members: ["kim_01"], reuse: false };
  await call(server.url, "POST", "/v1/group/channels", { body: channel });

  // Like pg_dump, it reads every table in one transaction.
  const reader = new pg.Client({ connectionString: server.databaseUrl, application_name: "pg_dump" });
  await reader.connect();
  onTestFinished(() => reader.end());
  const progress: string[] = [];
  const ofReader =
    /^90000101000000_column waits for pg_dump \(process \d+ of PostgreSQL, in a transaction for \d+ s\)$/;
  const isOfReader = (line: string) => ofReader.test(line);
  const sends: Awaited<ReturnType<typeof send>>[] = [];
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await reader.query("SELECT count(*) FROM messages");
  let isMigrated = false;
  const migrated = migrate(server.databaseUrl, { folder, onProgress: (line) => progress.push(line) });
  const ended = migrated.finally(() => {
    isMigrated = true;
  });
  const startedAt = performance.now();
  while (!isMigrated) {
    sends.push(await send());
    if (progress.some(isOfReader) && performance.now() - startedAt > 2_500) await reader.query("COMMIT");
  }
  await ended;
  expect(new Set(sends.map(({ status }) => status))).toEqual(new Set([201]));
  expectWithinIfLong(1_000, Math.max(...sends.map(({ ms }) => ms)));
  expect(progress.filter(isOfReader)).not.toEqual([]);
  // The server may hold a lock too.
  expect(progress.filter((line) => !line.includes("waits for"))).toEqual([
    "applied 90000101000000_column",
    "applied 90000102000000_index",
  ]);
});

test("a migration that cannot run in a transaction says within two seconds what blocks it, and names each later blocker", async () => {
  const index = `-- no-transaction
CREATE INDEX CONCURRENTLY "users_name" ON "users" ("name");
`;
  const folder = await addMigrations({ "90000101000000_index/migration.sql": index });
  const { url: database, drop } = await createDatabase();
  onTestFinished(drop);
  const open = async (application_name: string, statement: string) => {
    const client = new pg.Client({ connectionString: database, application_name });
    await client.connect();
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${statement}`);
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    return {
      client,
      name: `${application_name} (process ${rows[0].pid} of PostgreSQL, in a transaction for`,
    };
  };
  const writer = await open("psql", "LOCK TABLE users IN ROW EXCLUSIVE MODE");
  const reader = await open("pg_dump", "SELECT FROM users");
  await sleep(1_000);
  const progress: { line: string; at: number }[] = [];
  const onProgress = (line: string) => progress.push({ line, at: performance.now() });
  const startedAt = performance.now();
  const migrated = migrate(database, { folder, onProgress });
  await expect.poll(() => progress.length).toBe(1);
  await writer.client.end();
  const releasedAt = performance.now();
  await expect.poll(() => progress.length).toBe(2);
  await reader.client.end();
  expect(await migrated).toEqual(["90000101000000_index"]);
  expect(progress.map(({ line }) => line)).toEqual([
    expect.stringContaining(`90000101000000_index waits for ${writer.name}`),
    expect.stringContaining(`90000101000000_index waits for ${reader.name}`),
    "applied 90000101000000_index",
  ]);
  expectWithinIfLong(2_000, (progress[0]?.at ?? 0) - startedAt);
  expectWithinIfLong(2_000, (progress[1]?.at ?? 0) - releasedAt);
});

test("an index whose creation failed is created again", async () => {
  const index = `-- no-transaction
DROP INDEX CONCURRENTLY IF EXISTS "users_name";
CREATE UNIQUE INDEX CONCURRENTLY "users_name" ON "users" ("name");
`;
  const folder = await addMigrations({ "90000103000000_index/migration.sql": index });
  const { url: database, drop } = await createDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(`INSERT INTO users (user_id, name, created_at, updated_at)
    VALUES ('kim_01', 'Kim', 1, 1), ('kim_02', 'Kim', 1, 1)`);
  await expect(migrate(database, { folder })).rejects.toThrow("failed and can be repeated");
  await client.query("UPDATE users SET name = user_id");
  expect(await migrate(database, { folder })).toEqual(["90000103000000_index"]);
  const { rows } = await client.query("SELECT FROM pg_index WHERE NOT indisvalid");
  expect(rows).toEqual([]);
  await client.end();
});

test("a version that does not know a migration of the database rejects it", async () => {
  const folder = await addMigrations({ "90000101000000_later/migration.sql": "CREATE TABLE later ();" });
  const { url: database, drop } = await createDatabase();
  onTestFinished(drop);
  expect(await migrate(database, { folder })).toEqual(["90000101000000_later"]);
  const sentence = "this one does not know 90000101000000_later. Run the newer version, or restore";
  await expect(migrate(database)).rejects.toThrow(sentence);
  await expect(readMigrationStatus(database)).rejects.toThrow(sentence);
});

test("a migration that was changed after it had been applied is an error", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`UPDATE "_prisma_migrations" SET checksum = 'other'`);
  await client.end();
  await expect(migrate(url)).rejects.toThrow("was changed after it had been applied");
});
