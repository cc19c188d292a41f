import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { untilBlocking } from "../../test/support/until-blocking";
import { listPendingMigrations, migrate } from "./migrate";

const name = `empty_${randomBytes(6).toString("hex")}`;
const administrator = new pg.Client({ connectionString: inject("postgresUrl") });
const url = inject("postgresUrl").replace(/[^/?]*(?=\?|$)/, name);

beforeAll(async () => {
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${name}`);
});
afterAll(async () => {
  await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await administrator.end();
});

test("several processes may migrate an empty database concurrently, and each migration is applied once", async () => {
  const pending = await listPendingMigrations(url);
  expect(pending.length).toBeGreaterThan(0);
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  expect(applied.flat().sort()).toEqual(pending);
  expect(await listPendingMigrations(url)).toEqual([]);
  expect(await migrate(url)).toEqual([]);
});

test("a migration waits for another process, whatever time limits the role has", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET lock_timeout = 1`);
  await client.query("BEGIN");
  // The lock of the migrations.
  await client.query("SELECT pg_advisory_xact_lock(7262414001)");
  const migrated = migrate(url);
  await untilBlocking(async (sql) => (await client.query(sql)).rows);
  await sleep(50);
  await client.query("COMMIT");
  expect(await migrated).toEqual([]);
  await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${name} RESET lock_timeout`);
  await client.end();
});

test("later migrations apply to a database with rows, and set the times of each channel", async () => {
  const old = `old_${randomBytes(6).toString("hex")}`;
  await administrator.query(`CREATE DATABASE ${old}`);
  const oldUrl = url.replace(/[^/]*$/, old);
  const client = new pg.Client({ connectionString: oldUrl });
  await client.connect();
  await migrateUntil(client, "20261122");
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

/** Brings an empty database to the schema of an older version. */
async function migrateUntil(client: pg.Client, end: string): Promise<void> {
  const folder = new URL("../../prisma/migrations/", import.meta.url);
  await client.query(`CREATE TABLE _prisma_migrations (id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`);
  for (const migration of (await readdir(folder))
    .sort()
    .filter((entry) => /^\d/.test(entry) && entry < end)) {
    const sql = await readFile(new URL(`${migration}/migration.sql`, folder), "utf8");
    await client.query(sql);
    const checksum = createHash("sha256").update(sql).digest("hex");
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, $2, $3, now())",
      [randomUUID(), checksum, migration],
    );
  }
}

test("a migration that was changed after it had been applied is an error", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`UPDATE "_prisma_migrations" SET checksum = 'other'`);
  await client.end();
  await expect(migrate(url)).rejects.toThrow("was changed after it had been applied");
});
