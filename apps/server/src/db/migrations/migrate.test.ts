import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { call, callPatiently } from "../../../test/support/call";
import { createDatabase, postgresUrl } from "../../../test/support/database";
import { finishErasures } from "../../../test/support/erasures";
import { addMigrations, migrateUntil } from "../../../test/support/migrations";
import { expectWithinIfLong } from "../../../test/support/report";
import { startServer, startServerOn } from "../../../test/support/server";
import { migrate } from "./migrate";
import { migrationsFolder, readMigrationStatus, readMigrations } from "./migrations";

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

test("usage, webhooks and the search index continue where a server of the version before was", async () => {
  const old = `old_${randomBytes(6).toString("hex")}`;
  await administrator.query(`CREATE DATABASE ${old}`);
  const oldUrl = urlOf(old);
  const client = new pg.Client({ connectionString: oldUrl });
  await client.connect();
  await migrateUntil(oldUrl, "2026112522");
  await client.query(`INSERT INTO event_ranges VALUES (0, 30, '{}', 1, '{}', 1, 1)`);
  await client.query("UPDATE usage_positions SET position = 20");
  await client.query(`INSERT INTO webhooks (webhook_id, master_id, url, secret, position, created_at, updated_at)
    VALUES ('wh_1', '', 'https://example.com', '', 10, 1, 1)`);
  await client.query(
    `INSERT INTO channels (channel_id, name, created_at, updated_at) VALUES ('room_1', 'R', 1, 1)`,
  );
  await client.query(
    `INSERT INTO search_blocks SELECT pk, at, 1, 1, '' FROM channels, unnest(ARRAY[10, 20, 30]) AS at`,
  );
  // Edited since its block was signed.
  await client.query(
    "INSERT INTO search_changes (channel_pk, created_at, message_pk) SELECT pk, 15, 7 FROM channels",
  );
  await migrate(oldUrl);
  const read = async (sql: string) => (await client.query({ text: sql, rowMode: "array" })).rows.map(String);
  expect(await read("SELECT name, position FROM consumers ORDER BY name")).toEqual([
    "search,30",
    "usage,20",
    "wh_1,10",
  ]);
  expect(await read("SELECT last_created_at FROM search_blocks")).toEqual(["10"]);
  await client.end();
  await administrator.query(`DROP DATABASE ${old}`);
});

test("later migrations apply to a database with rows, and set the times of each channel", async () => {
  const old = `old_${randomBytes(6).toString("hex")}`;
  await administrator.query(`CREATE DATABASE ${old}`);
  const oldUrl = urlOf(old);
  const client = new pg.Client({ connectionString: oldUrl });
  await client.connect();
  await migrateUntil(oldUrl, "20261122");
  await client.query(`INSERT INTO users (user_id, name, created_at, updated_at, deleted_at)
    VALUES ('alive', 'A', 1, 1, NULL), ('dead', 'D', 1, 1, 5)`);
  await client.query(`INSERT INTO channels (channel_id, name, total_message_count, created_at, updated_at)
    VALUES ('busy', 'B', 2, 1, 1), ('silent', 'S', 0, 1, 1)`);
  await client.query(`INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', 'x', sent_at, sent_at FROM channels c, users u, unnest(ARRAY[7, 9]) AS sent_at
    WHERE channel_id = 'busy' AND user_id = 'dead'`);
  await migrate(oldUrl);
  const { rows: channels } = await client.query(
    "SELECT channel_id, last_message_at, latest_at FROM channels ORDER BY 1",
  );
  expect(channels).toEqual([
    { channel_id: "busy", last_message_at: "9", latest_at: "9" },
    { channel_id: "silent", last_message_at: null, latest_at: "1" },
  ]);
  expect((await client.query("SELECT FROM users WHERE needs_sweep")).rowCount).toBe(0);
  await client.end();
  await administrator.query(`DROP DATABASE ${old} WITH (FORCE)`);
});

test("erasures of the version before continue, and erased users have an id that no other user can have", async () => {
  const old = `old_${randomBytes(6).toString("hex")}`;
  await administrator.query(`CREATE DATABASE ${old}`);
  const oldUrl = urlOf(old);
  const client = new pg.Client({ connectionString: oldUrl });
  await client.connect();
  await migrateUntil(oldUrl, "20261125225300");
  await client.query(`INSERT INTO users (user_id, name, created_at, updated_at, deleted_at)
    VALUES ('deleted', 'Deleted user', 1, 1, 2), ('deleted', 'Deleted user', 1, 1, 2), ('gone', 'MARKED', 1, 1, 2),
      ('deleted', 'A name', 1, 1, NULL), ('deleted', 'Deleted earlier', 1, 1, 2)`);
  await client.query(
    "INSERT INTO channels (channel_id, name, created_at, updated_at) VALUES ('room', 'R', 1, 1)",
  );
  await client.query(`INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', 'MARKED', u.pk, 1 FROM channels c, users u WHERE u.pk IN (2, 3)`);
  await client.query(`INSERT INTO reports (report_id, channel_pk, channel_id, message_id, reason, created_at, updated_at)
    SELECT 'rep_1', channel_pk, 'room', created_at || '-' || pk, 'MARKED', 1, 1 FROM messages WHERE sender_pk = 3`);
  // The first one is done, the second left something in a channel on hold, the third is running.
  await client.query(`INSERT INTO erasures (erasure_id, user_id, messages, status, stage, created_at, completed_at)
    VALUES ('era_1', 'one_', 'erase', 'done', 'row', 1, 2), ('era_2', 'two_', 'erase', 'done', 'row', 1, 2),
      ('era_3', 'gone', 'erase', 'running', 'roles', 1, NULL)`);
  await client.query(`INSERT INTO erased_users (user_pk, user_id, erasure_pk)
    VALUES (1, 'one_', 1), (2, 'two_', 2), (3, 'gone', 3)`);
  await client.query("INSERT INTO erasure_holds (erasure_pk, channel_pk) VALUES (2, 1)");
  await migrate(oldUrl);

  const server = await startServerOn(oldUrl);
  await finishErasures(server.db);
  const { rows } = await client.query("SELECT user_id, name FROM users ORDER BY pk");
  const erased = { user_id: "~deleted", name: "Deleted user" };
  expect(rows).toEqual([
    erased,
    erased,
    erased,
    { user_id: "deleted", name: "A name" },
    { user_id: "deleted", name: "Deleted earlier" },
  ]);
  expect((await client.query("SELECT FROM messages")).rowCount).toBe(0);
  expect((await client.query("SELECT reason FROM reports")).rows).toEqual([{ reason: "Erased" }]);
  expect((await client.query("SELECT FROM erasures WHERE status <> 'done'")).rowCount).toBe(0);
  await server.close();
  await client.end();
  await administrator.query(`DROP DATABASE ${old} WITH (FORCE)`);
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

test("a rewritten migration is the same to a database that has its earlier text", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const set = `UPDATE "_prisma_migrations" SET checksum = $1 WHERE migration_name = '20261122131000_external_id_index' RETURNING checksum`;
  const { rows } = await client.query(
    `SELECT checksum FROM "_prisma_migrations" WHERE migration_name LIKE '%external_id_index'`,
  );
  await client.query(set, [createHash("sha256").update(earlierIndex).digest("hex")]);
  expect(await migrate(url)).toEqual([]);
  await client.query(set, [rows[0].checksum]);
  await client.end();
});

const earlierIndex = `-- In a transaction of its own: the table is read once, with its readers. A message that was not imported is not in the index.
CREATE UNIQUE INDEX "messages_external_id_key" ON "messages" ("channel_pk", "external_id") WHERE "external_id" IS NOT NULL;
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_external_id_length";
`;

test("a database with earlier texts records the current ones, so that servers from before the change do not start", async () => {
  const old = `old_${randomBytes(6).toString("hex")}`;
  await administrator.query(`CREATE DATABASE ${old}`);
  const oldUrl = urlOf(old);
  await migrateUntil(oldUrl, "20261125235329");
  const client = new pg.Client({ connectionString: oldUrl });
  await client.connect();
  const rewritten =
    "migration_name IN ('20261122020000_idempotency_results', '20261122131000_external_id_index')";
  const earlier = [
    "439444297b466afa55b5cc5f07923b2d67d4d0168552879e79c4813808af0a8c",
    createHash("sha256").update(earlierIndex).digest("hex"),
  ];
  await client.query(
    `UPDATE "_prisma_migrations" SET checksum = ($1::text[])[1 + (migration_name LIKE '%index')::int] WHERE ${rewritten}`,
    [earlier],
  );
  await migrate(oldUrl);
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    `SELECT migration_name, checksum FROM "_prisma_migrations" WHERE ${rewritten}`,
  );
  const texts = new Map((await readMigrations(migrationsFolder)).map((each) => [each.name, each.checksum]));
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.checksum).toBe(texts.get(row.migration_name));
  await client.end();
  await administrator.query(`DROP DATABASE ${old} WITH (FORCE)`);
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
