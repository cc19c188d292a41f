import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { rejectWorker } from "./citus/check-cluster";
import { isRolledBack } from "./faults";
import { beginUnlimited } from "./transaction";
import { withConnection } from "./with-connection";

/**
 * Applies the pending migrations in order, each in its own transaction, and records them in `_prisma_migrations` as
 * Prisma does, so that `prisma migrate deploy` can continue from there. Several processes may call it concurrently: each
 * migration is applied by one of them, while the others wait. Returns the names of those applied here.
 */
export async function migrate(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    await rejectWorker(client);
    await inLockedTransaction(client, () => client.query(migrationsTable));
    const applied: string[] = [];
    for (const migration of await listPending(client))
      if (await apply(client, migration)) applied.push(migration.name);
    return applied;
  });
}

/** The names of the migrations that have not been applied. */
export async function listPendingMigrations(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    await rejectWorker(client);
    const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known");
    const pending = rows[0]?.known === true ? await listPending(client) : await readMigrations();
    return pending.map(({ name }) => name);
  });
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const maxAttempts = 10;
const migrationLock = 7_262_414_001;

const migrationsTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

async function listPending(client: pg.Client): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    `SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const all = await readMigrations();
  for (const { name, checksum } of all) {
    const recorded = applied.get(name);
    if (recorded !== undefined && recorded !== checksum)
      throw new Error(`The migration ${name} was changed after it had been applied to this database.`);
  }
  return all.filter(({ name }) => !applied.has(name));
}

async function readMigrations(): Promise<Migration[]> {
  const folder = findMigrationsFolder();
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(`${folder}/${name}/migration.sql`, "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** The built file is one level closer to the folder than the sources are. */
function findMigrationsFolder(): string {
  const candidates = ["../prisma/migrations", "../../prisma/migrations"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const folder = candidates.find((path) => existsSync(path));
  if (folder === undefined) throw new Error(`No migrations were found in ${candidates.join(" and ")}.`);
  return folder;
}

/** Under load, PostgreSQL may end the migration as one side of a deadlock with a request. Nothing of it is kept then. */
async function apply(client: pg.Client, migration: Migration): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inLockedTransaction(client, () => applyOnce(client, migration));
    } catch (error) {
      if (attempt < maxAttempts && isRolledBack(error)) continue;
      throw new Error(`The migration ${migration.name} failed and was rolled back.`, { cause: error });
    }
  }
}

/** Returns false if another process was faster. */
async function applyOnce(client: pg.Client, { name, sql, checksum }: Migration): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM "_prisma_migrations" WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    [name],
  );
  if (rowCount !== 0) return false;
  await client.query(sql);
  await client.query(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
  return true;
}

/** The lock ends with the transaction: a pooler would keep one of the session. */
async function inLockedTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query(beginUnlimited);
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
