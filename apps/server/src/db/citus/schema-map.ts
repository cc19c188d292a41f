import { createHash } from "node:crypto";
import type pg from "pg";
import { SettingError } from "../../errors/service-error";

/** The names of the schemas with the rows of channels, in the order in which channels are assigned to them. */
export type SchemaMap = readonly string[];

/** The schemas of the database. Undefined if it is not distributed, as on any PostgreSQL without Citus. */
export async function readSchemaMap(client: Pick<pg.ClientBase, "query">): Promise<SchemaMap | undefined> {
  if (!(await isDistributed(client))) return undefined;
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_dist_schema JOIN pg_namespace ON oid = schemaid
     WHERE nspname ~ '^channels_\\d+$' ORDER BY nspname`,
  );
  if (rows.length === 0)
    throw new SettingError(
      "An earlier version has distributed the database at DATABASE_URL in another way. Export its messages with that version, and import them into a new database.",
    );
  return rows.map(({ name }) => name);
}

/** Where the tables of a database are. */
export const readSchemas = async (client: Pick<pg.ClientBase, "query">) => ({
  schema: await requireSchema(client),
  schemaMap: await readSchemaMap(client),
});

/** The schema in which the user creates tables. */
export async function requireSchema(client: Pick<pg.ClientBase, "query">): Promise<string> {
  const { rows } = await client.query<{ schema: string | null }>("SELECT current_schema() AS schema");
  const schema = rows[0]?.schema;
  if (!schema)
    throw new SettingError(
      "The user in DATABASE_URL has no schema: none of those in its search_path exists. Create one, or set another one with ALTER ROLE … SET search_path.",
    );
  return schema;
}

/** Whether the database is distributed. */
export async function isDistributed(client: Pick<pg.ClientBase, "query">): Promise<boolean> {
  const { rows: known } = await client.query<{ isBegun: boolean }>(
    `SELECT to_regclass('madang_distribution') IS NOT NULL AS "isBegun"`,
  );
  if (known[0]?.isBegun !== true) return false;
  const { rowCount } = await client.query("SELECT FROM madang_distribution WHERE step = 'complete'");
  if (rowCount === 0)
    throw new SettingError(
      "The distribution of the database at DATABASE_URL was interrupted. Run madang-server distribute again.",
    );
  return true;
}

/** The index of the schema of a channel: the first four bytes of SHA-256 of its id, modulo the number of schemas. */
export const schemaIndexOf = (channelId: string, count: number): number =>
  createHash("sha256").update(channelId).digest().readUInt32BE(0) % count;

/** The same in SQL, for the column of a channel id. */
export const schemaIndexSql = (column: string, count: number): string =>
  `('x' || encode(substring(sha256(convert_to(${column}, 'UTF8')) FOR 4), 'hex'))::bit(32)::bigint % ${count}`;
