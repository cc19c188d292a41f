import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { withConnection } from "../connection/with-connection";
import { readMigrationStatus } from "../migrations/migrations";
import { beginUnlimited } from "../transaction";
import { checkCluster } from "./check-cluster";
import { alignCopies } from "./copies";
import { createFunctions } from "./functions";
import { schemaIndexSql } from "./schema-map";
import {
  alignTable,
  copyStorage,
  isShared,
  listChannelTables,
  moveTemplates,
  templateSchema,
} from "./tables";

/** Enough for as many workers, and few enough for what reads all of them, such as an inbox. */
export const defaultSchemaCount = 8;

/** One transaction of the distribution. A step that was interrupted has changed nothing. */
interface Step {
  readonly name: string;
  run(client: pg.Client): Promise<void>;
}

/**
 * Distributes the channels of a database over the nodes of Citus. Each step is a transaction, so an interrupted run
 * continues with the step that it did not finish. No server may run meanwhile.
 */
export async function distribute(
  url: string,
  onProgress: (line: string) => void,
  schemaCount = defaultSchemaCount,
): Promise<void> {
  await requireMigrations(url);
  await withConnection(url, async (client) => {
    await checkCluster(client);
    await client.query("CREATE TABLE IF NOT EXISTS madang_distribution (step text PRIMARY KEY)");
    const steps = listSteps(await readSchemaCount(client, schemaCount), onProgress);
    for (const [index, step] of steps.entries()) {
      const isNew = await once(client, step);
      onProgress(`${index + 1}/${steps.length} ${step.name}${isNew ? "" : " (done before)"}`);
    }
    await once(client, { name: "complete", run: async () => undefined });
  });
}

/** What `distribute` would do. Changes nothing. */
export async function planDistribution(url: string, schemaCount: number): Promise<string[]> {
  await requireMigrations(url);
  return withConnection(url, async (client) => {
    await checkCluster(client);
    const done = (await listDoneSteps(client)) ?? [];
    const left = listSteps(schemaCount, () => undefined).filter(({ name }) => !done.includes(name));
    const sizes: string[] = [];
    for (const { schema, name } of await listChannelTables(client)) {
      const { rows } = await client.query(
        "SELECT pg_size_pretty(pg_total_relation_size($1::regclass)) AS size",
        [`${schema}.${name}`],
      );
      sizes.push(`${name}: ${rows[0].size}`);
    }
    return [
      ...left.map(({ name }, index) => `${index + 1}/${left.length} ${name}`),
      ...sizes,
      "Nothing was changed.",
    ];
  });
}

/** With these, the migrations are those for which the steps were written. */
async function requireMigrations(url: string): Promise<void> {
  if ((await readMigrationStatus(url)).pending.length === 0) return;
  const isBegun = (await withConnection(url, listDoneSteps)) !== undefined;
  throw new SettingError(
    isBegun
      ? "The distribution of the database at DATABASE_URL was interrupted, and a later version has migrations for it. Run madang-server distribute with the version that began, then madang-server migrate with this one."
      : "The database at DATABASE_URL lacks migrations. Run madang-server migrate first.",
  );
}

/** Undefined if the distribution was never begun. */
async function listDoneSteps(client: pg.Client): Promise<string[] | undefined> {
  const { rows } = await client.query("SELECT to_regclass('madang_distribution') IS NOT NULL AS found");
  if (rows[0]?.found !== true) return undefined;
  const { rows: done } = await client.query<{ step: string }>("SELECT step FROM madang_distribution");
  return done.map(({ step }) => step);
}

/** An interrupted distribution continues with its own number. */
async function readSchemaCount(client: pg.Client, wanted: number): Promise<number> {
  const begun = (await listDoneSteps(client))?.find((step) => step.startsWith("schemas: "));
  return begun === undefined ? wanted : Number(begun.slice("schemas: ".length));
}

function listSteps(schemaCount: number, onProgress: (line: string) => void): readonly Step[] {
  const schemas = Array.from(
    { length: schemaCount },
    (_, index) => `channels_${String(index).padStart(2, "0")}`,
  );
  return [
    { name: `schemas: ${schemaCount}`, run: prepare },
    { name: "copies of the users and their blocks on every node", run: alignCopies },
    ...schemas.map((schema, index) => ({
      name: `schema ${schema}`,
      run: (client: pg.Client) =>
        createSchema(client, schema, schemaIndexSql("channel_id", schemaCount), index),
    })),
    {
      name: "old rows removed from the coordinator",
      run: (client) => removeMovedRows(client, schemas, onProgress),
    },
  ];
}

async function prepare(client: pg.Client): Promise<void> {
  await client.query(`CREATE SCHEMA ${templateSchema}`);
  await client.query("ALTER SEQUENCE messages_pk_seq OWNED BY NONE");
  await moveTemplates(client);
  for (const sql of createFunctions) await client.query(sql);
  await client.query(
    "CREATE TRIGGER events_hold BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION madang_hold_event()",
  );
  // The keys of events that are in the feed already, until they are removed from their schemas.
  await client.query(`CREATE TABLE moved_events (pk bigserial PRIMARY KEY, schema_index integer NOT NULL,
    channel_pks bigint[] NOT NULL, pks bigint[] NOT NULL, moved_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
}

async function createSchema(
  client: pg.Client,
  schema: string,
  indexOf: string,
  index: number,
): Promise<void> {
  await client.query(`CREATE SCHEMA ${schema}`);
  const tables = await listChannelTables(client);
  for (const source of tables) {
    const target = { schema, name: source.name };
    // The rows first: so the indexes are made once.
    await client.query(
      `CREATE TABLE ${schema}.${source.name} (LIKE ${source.schema}.${source.name} INCLUDING STORAGE)`,
    );
    await copyStorage(client, source, target);
    const from = `INSERT INTO ${schema}.${source.name} SELECT * FROM ${source.schema}.${source.name}`;
    if (source.name === "channels") await client.query(`${from} WHERE ${indexOf} = ${index}`);
    else if (!isShared(source))
      await client.query(`${from} WHERE channel_pk IN (SELECT pk FROM ${schema}.channels)`);
  }
  for (const source of tables) await alignTable(client, source, { schema, name: source.name });
  await client.query("SELECT citus_schema_distribute($1)", [schema]);
}

/** Throws unless all rows were moved. */
async function removeMovedRows(
  client: pg.Client,
  schemas: readonly string[],
  onProgress: (line: string) => void,
): Promise<void> {
  const moved = (await listChannelTables(client)).filter((table) => !isShared(table));
  const count = async (schema: string, name: string) => {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${schema}.${name}`);
    return Number(rows[0]?.count);
  };
  for (const { name } of moved) {
    const before = await count(templateSchema, name);
    let after = 0;
    for (const schema of schemas) after += await count(schema, name);
    if (before !== after)
      throw new Error(`The table ${name} had ${before} rows, and ${after} in the schemas.`);
    onProgress(`${name}: ${after} rows in ${schemas.length} schemas`);
  }
  await client.query(`TRUNCATE ${moved.map(({ name }) => `${templateSchema}.${name}`).join(", ")}`);
}

/** Runs a step unless it was done before. Two processes wait for each other. */
async function once(client: pg.Client, { name, run }: Step): Promise<boolean> {
  await client.query(beginUnlimited);
  try {
    // A foreign key to the copies of the users is not created after shards were changed on several connections.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    await client.query("LOCK TABLE madang_distribution IN EXCLUSIVE MODE");
    const { rowCount } = await client.query("SELECT FROM madang_distribution WHERE step = $1", [name]);
    if (rowCount === 0) {
      await run(client);
      await client.query("INSERT INTO madang_distribution VALUES ($1)", [name]);
    }
    await client.query("COMMIT");
    return rowCount === 0;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
