import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { rejectWorker } from "../citus/check-cluster";
import { alignCopies } from "../citus/copies";
import { readSchemaMap, requireSchema, type SchemaMap } from "../citus/schema-map";
import { alignSchemas, templateSchema } from "../citus/tables";
import { withConnection } from "../connection/with-connection";
import { isLockTimeout, isRolledBack } from "../faults";
import { beginUnlimited } from "../transaction";
import { findPending, type Migration, migrationsFolder, readMigrations } from "./migrations";
import { createWaitReport, type OnWait, reportWaits } from "./report-waits";

interface MigrateOptions {
  readonly folder?: string;
  /** Called with each migration that was applied, and with what the next one waits for. */
  readonly onProgress?: (line: string) => void;
}

/**
 * Applies the pending migrations in order and records them in `_prisma_migrations` as Prisma does, so that `prisma migrate
 * deploy` can continue from there. Servers may run meanwhile: a migration that does not get its locks at once gives way to
 * the requests behind it and tries again. Several processes may call it concurrently: one of them applies, the others wait.
 * Returns the names of those applied here.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsFolder, onProgress = () => undefined } = options;
  return withConnection(url, async (client) => {
    await rejectWorker(client);
    await requireSchema(client);
    const applyAll = async (observer: pg.Client) => {
      await client.query(migrationsTable);
      const schemas = (await readSchemaMap(client)) ?? [];
      const pending = await findPending(client, await readMigrations(folder));
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      for (const migration of pending) {
        const onWait: OnWait = (holder) => onProgress(`${migration.name} waits for ${holder}`);
        await reportWaits(observer, rows[0]?.pid ?? 0, onWait, () => apply(client, migration, schemas));
        onProgress(`applied ${migration.name}`);
      }
      if (pending.length > 0) for (const schema of schemas) await client.query(remakeViews(schema));
      return pending.map(({ name }) => name);
    };
    const onTurn: OnWait = (holder) => onProgress(`waits for another migration, of ${holder}`);
    return withConnection(url, (observer) =>
      withConnection(url, (guard) => alone(guard, observer, onTurn, () => applyAll(observer))),
    );
  });
}

const maxAttempts = 10;
/** How long the requests that queue behind a migration may wait. */
const lockTimeoutMs = 200;
/** Between two attempts, requests run as if there were no migration. */
const lockPauseMs = 1_000;
const turnPauseMs = 100;
const migrationLock = 7_262_414_001;

const migrationsTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/**
 * Runs the work while no other process migrates. The lock is that of a transaction on a connection of its own: a pooler
 * would keep one of the session. It is tried, not awaited: CREATE INDEX CONCURRENTLY would wait for the snapshot of a
 * statement that waits.
 */
async function alone<Result>(
  guard: pg.Client,
  observer: pg.Client,
  onWait: OnWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const report = createWaitReport(observer, findMigrating, onWait);
  for (;;) {
    await guard.query(beginUnlimited);
    // Without parameters: with some, the transaction would keep the snapshot of the statement.
    const { rows } = await guard.query(`SELECT pg_try_advisory_xact_lock(${migrationLock}) AS locked`);
    if (rows[0]?.locked === true) break;
    await guard.query("ROLLBACK");
    await report();
    await sleep(turnPauseMs);
  }
  try {
    return await work();
  } finally {
    await guard.query("ROLLBACK").catch(() => undefined);
  }
}

const findMigrating = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
  AND (classid::bigint << 32) + objid::bigint = ${migrationLock}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Under load, a migration may not get a lock, or be ended as one side of a deadlock. Nothing of it is kept then. */
async function apply(client: pg.Client, migration: Migration, schemas: SchemaMap): Promise<void> {
  for (let attempt = 1; ; ) {
    try {
      return await (migration.isTransaction ? inTransaction : withoutTransaction)(client, () =>
        run(client, migration, schemas),
      );
    } catch (error) {
      if (isLockTimeout(error)) await sleep(lockPauseMs);
      else if (!isRolledBack(error) || attempt++ === maxAttempts) {
        const outcome = migration.isTransaction ? "failed and was rolled back" : "failed and can be repeated";
        throw new Error(`The migration ${migration.name} ${outcome}.`, { cause: error });
      }
    }
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query(beginUnlimited);
  try {
    for (const setting of transactionSettings) await client.query(`SET LOCAL ${setting}`);
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** No request waits behind its locks, so it may wait for them. The role may have limits. */
async function withoutTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const limits = ["statement_timeout", "lock_timeout"];
  for (const limit of limits) await client.query(`SET ${limit} = 0`);
  try {
    await work();
  } finally {
    for (const limit of limits) await client.query(`RESET ${limit}`);
  }
}

/** On the node of the schema. */
const remakeViews = (schema: string) =>
  `SELECT run_command_on_placements('${schema}.channels', $$SELECT madang_make_views('${schema}') /* %s */$$)`;

const transactionSettings = [
  // Citus: the nodes have the limit as well, and a transaction may change several tables. Elsewhere they mean nothing.
  "citus.propagate_set_commands = 'local'",
  "citus.multi_shard_modify_mode = 'sequential'",
  `lock_timeout = ${lockTimeoutMs}`,
];

async function run(
  client: pg.Client,
  { name, statements, ofSchema, checksum }: Migration,
  schemas: SchemaMap,
): Promise<void> {
  if (schemas.length > 0) await client.query(`SET search_path = public, ${templateSchema}`);
  for (const statement of statements) await client.query(statement);
  if (schemas.length > 0) {
    await alignCopies(client);
    await alignSchemas(client, schemas);
    for (const schema of schemas) {
      await client.query(`SET search_path = ${schema}, public`);
      for (const statement of ofSchema) await client.query(statement);
    }
    await client.query("RESET search_path");
  }
  await client.query(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}
