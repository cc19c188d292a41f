import type pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

/** Where the empty tables of channels are that migrations change. Those of the schemas follow them. */
export const templateSchema = "channel_tables";

/** Tables that also have rows without a channel, which stay on the coordinator. */
const sharedTables = ["events", "idempotency_keys", "audit_entries"];

/** Whether the coordinator has a table of its own besides those of the schemas. */
export const isShared = ({ name }: Table): boolean => sharedTables.includes(name);

export interface Table {
  readonly schema: string;
  readonly name: string;
}

/** The tables whose rows belong to channels: those that refer to channels, in the order of their references. */
export async function listChannelTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `WITH RECURSIVE found AS (
      SELECT c.oid, 0 AS depth FROM pg_class c
      WHERE relname = 'channels' AND relnamespace IN (to_regnamespace('public'), to_regnamespace($1))
      UNION SELECT conrelid, depth + 1 FROM pg_constraint JOIN found ON confrelid = found.oid WHERE contype = 'f'
    )
    SELECT relnamespace::regnamespace::text AS schema, relname AS name FROM found JOIN pg_class c ON c.oid = found.oid
    GROUP BY 1, 2 ORDER BY max(depth), 2`,
    [templateSchema],
  );
  return [...rows, ...sharedTables.map((name) => ({ schema: "public", name }))];
}

/** The keys of all schemas come from one sequence, of which each node has a range. */
const nextKey = "nextval('public.messages_pk_seq'::regclass)";

/** Makes the schemas follow a migration, which has changed the tables of the coordinator. Outside a transaction, writes go on. */
export async function alignSchemas(client: Client, schemas: readonly string[]): Promise<void> {
  await moveTemplates(client);
  for (const source of await listChannelTables(client))
    for (const schema of schemas) await alignTable(client, source, { schema, name: source.name });
}

/** Tables of channels leave the schema that the servers search. Events without a channel wait for the feed in a table like those of channels. */
export async function moveTemplates(client: Client): Promise<void> {
  for (const { schema, name } of await listChannelTables(client))
    if (schema === "public" && !sharedTables.includes(name))
      await client.query(`ALTER TABLE public.${name} SET SCHEMA ${templateSchema}`);
  await alignTable(client, { schema: "public", name: "events" }, { schema: templateSchema, name: "events" });
}

/**
 * Gives a table of a schema the columns, constraints and indexes of another table, under the same names. Creates it if it does not
 * exist. References to `users` become those to the copies.
 */
export async function alignTable(client: Client, source: Table, target: Table): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS exists", [nameOf(target)]);
  if (rows[0]?.exists !== true)
    await client.query(`CREATE TABLE ${nameOf(target)} (LIKE ${nameOf(source)} INCLUDING STORAGE)`);
  const wanted = await describeKeys(client, source, target);
  const current = await describeKeys(client, target, target);
  const isIn = (keys: readonly Key[], { name, definition }: Key) =>
    keys.some((key) => key.name === name && key.definition === definition);
  for (const key of current.toReversed()) if (!isIn(wanted, key)) await client.query(key.drop);
  await alignColumns(client, source, target);
  for (const key of wanted) if (!isIn(current, key)) await client.query(key.definition);
}

/** Gives a table the columns of another one. */
export async function alignColumns(client: Client, source: Table, target: Table): Promise<void> {
  const wanted = await listColumns(client, source);
  const current = new Map((await listColumns(client, target)).map((column) => [column.name, column]));
  const alter = (change: string) => client.query(`ALTER TABLE ${nameOf(target)} ${change}`);
  for (const { name, type, isNullable, value } of wanted) {
    const known = current.get(name);
    current.delete(name);
    if (known === undefined) {
      await alter(
        `ADD COLUMN ${name} ${type} ${isNullable ? "" : "NOT NULL"} ${value && `DEFAULT ${value}`}`,
      );
      continue;
    }
    if (known.type !== type) await alter(`ALTER ${name} TYPE ${type}`);
    if (known.value !== value)
      await alter(`ALTER ${name} ${value ? `SET DEFAULT ${value}` : "DROP DEFAULT"}`);
    if (known.isNullable !== isNullable) await alter(`ALTER ${name} ${isNullable ? "DROP" : "SET"} NOT NULL`);
  }
  // The views have them.
  for (const name of current.keys()) await alter(`DROP COLUMN ${name} CASCADE`);
}

const nameOf = ({ schema, name }: Table) => `${schema}.${name}`;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly value: string;
}

async function listColumns(client: Client, table: Table): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS "isNullable",
      CASE WHEN attidentity <> '' OR pg_get_expr(adbin, adrelid) LIKE 'nextval(%' THEN $2::text
        ELSE COALESCE(pg_get_expr(adbin, adrelid), '') END AS value
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [nameOf(table), nextKey],
  );
  return rows;
}

/** A constraint or an index. */
interface Key {
  readonly name: string;
  /** The statement that creates it. */
  readonly definition: string;
  readonly drop: string;
}

/** What a table has, as it would be created in a target. Foreign keys come last. */
async function describeKeys(client: Client, table: Table, target: Table): Promise<Key[]> {
  const { rows: settings } = await client.query("SELECT current_setting('search_path') AS path");
  // With nothing else to search, PostgreSQL writes every name with its schema.
  await client.query("SET search_path = pg_catalog");
  const { rows } = await client.query<Key>(
    `SELECT conname AS name, format('ALTER TABLE %s ADD CONSTRAINT %I %s', $1::text, conname, pg_get_constraintdef(oid)) AS definition,
      format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', $1::text, conname) AS drop, contype = 'f' AS "isLast"
    FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype IN ('p', 'u', 'c', 'f')
    UNION ALL
    SELECT relname, pg_get_indexdef(indexrelid), format('DROP INDEX %s', indexrelid::regclass), false
    FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = $1::text::regclass AND NOT EXISTS (
      SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    ORDER BY "isLast", name`,
    [nameOf(table)],
  );
  await client.query("SELECT set_config('search_path', $1, false)", [settings[0]?.path]);
  const inTarget = (definition: string) =>
    definition
      .replace("REFERENCES public.users(", "REFERENCES public.user_copies(")
      .replace(`REFERENCES ${table.schema}.`, `REFERENCES ${target.schema}.`)
      .replace(`ALTER TABLE ${nameOf(table)} `, `ALTER TABLE ${nameOf(target)} `)
      .replace(` ON ${nameOf(table)} `, ` ON ${nameOf(target)} `);
  return rows.map((key) => ({ ...key, definition: inTarget(key.definition) }));
}

/** Properties that a table of a distributed schema cannot be given any more. Texts that are erased may not stay among the samples. */
export async function copyStorage(client: Client, source: Table, target: Table): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `SELECT format('ALTER %I SET STATISTICS 0', attname) AS change FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attstattarget = 0
    UNION ALL SELECT format('SET (%s)', array_to_string(reloptions, ', ')) FROM pg_class
    WHERE oid = $1::regclass AND reloptions IS NOT NULL`,
    [nameOf(source)],
  );
  for (const { change } of rows) await client.query(`ALTER TABLE ${nameOf(target)} ${change}`);
}
