import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { packageFolder } from "../../package-folder";
import { rejectWorker } from "../citus/check-cluster";
import { requireSchema } from "../citus/schema-map";
import { withConnection } from "../connection/with-connection";

export const migrationsFolder = join(packageFolder, "prisma/migrations");

export interface Migration {
  readonly name: string;
  /** Sent one at a time: Citus does not accept several at once. */
  readonly statements: readonly string[];
  /** On Citus, what changes the rows of a schema. The tables of the schemas follow those of `migration.sql` by themselves. */
  readonly ofSchema: readonly string[];
  readonly checksum: string;
  /** Indexes of large tables are created outside a transaction, while rows are written. */
  readonly isTransaction: boolean;
}

/** Which migrations of this version a database has. Throws if it also has others: a newer version has migrated it. */
export async function readMigrationStatus(url: string) {
  return withConnection(url, async (client) => {
    await rejectWorker(client);
    await requireSchema(client);
    const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known");
    const all = await readMigrations(migrationsFolder);
    const pending = rows[0]?.known === true ? await findPending(client, all) : all;
    return {
      applied: all.filter((migration) => !pending.includes(migration)).map(({ name }) => name),
      pending: pending.map(({ name }) => name),
    };
  });
}

/** The migrations that the database lacks. */
export async function findPending(client: pg.Client, all: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    `SELECT migration_name, checksum FROM "_prisma_migrations"
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  for (const { name, checksum } of all) {
    const recorded = applied.get(name);
    if (recorded !== undefined && recorded !== checksum)
      throw new Error(`The migration ${name} was changed after it had been applied to this database.`);
  }
  const unknown = [...applied.keys()].filter((name) => all.every((migration) => migration.name !== name));
  if (unknown.length > 0)
    throw new SettingError(
      `The database at DATABASE_URL was migrated by a newer version of madang-server: this one does not know ${unknown.join(", ")}. Run the newer version, or restore the backup from before the upgrade.`,
    );
  return all.filter(({ name }) => !applied.has(name));
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(`${folder}/${name}/migration.sql`, "utf8");
      const citus = `${folder}/${name}/citus.sql`;
      return {
        name,
        statements: splitStatements(sql),
        ofSchema: existsSync(citus) ? splitStatements(await readFile(citus, "utf8")) : [],
        isTransaction: !sql.startsWith("-- no-transaction\n"),
        checksum: createHash("sha256").update(sql).digest("hex"),
      };
    }),
  );
}

/** Semicolons in strings, names, comments and function bodies end no statement. */
function splitStatements(sql: string): string[] {
  const statements = sql.match(/(?:'[^']*'|"[^"]*"|--.*|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g) ?? [];
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}
