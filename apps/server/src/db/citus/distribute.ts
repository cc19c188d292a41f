import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { readMigrationStatus } from "../migrations";
import { beginUnlimited } from "../transaction";
import { withConnection } from "../with-connection";
import { checkCluster } from "./check-cluster";
import { steps } from "./steps";

/** The tables whose rows are moved to the workers. */
const copiedTables = [...new Set(steps.flatMap(({ table }) => table ?? []))];

/**
 * Distributes the channels of a database over the nodes of Citus. Each step is a transaction, so an interrupted run
 * continues with the step that it did not finish. No server may run meanwhile.
 */
export async function distribute(url: string, onProgress: (line: string) => void): Promise<void> {
  await requireMigrations(url);
  await withConnection(url, async (client) => {
    await checkCluster(client);
    await client.query(
      "CREATE TABLE IF NOT EXISTS madang_distribution (step text PRIMARY KEY, row_count bigint)",
    );
    for (const [index, { name, statements, table }] of steps.entries()) {
      const isNew = await once(client, name, async () => {
        const before = await count(client, table);
        for (const statement of statements) await client.query(statement);
        const after = await count(client, table);
        if (before !== after)
          throw new Error(`The table ${table} had ${before} rows, and ${after} after the step "${name}".`);
        return after;
      });
      onProgress(`${index + 1}/${steps.length} ${name}${isNew ? "" : " (done before)"}`);
    }
    const { rows } = await client.query<{ table: string; rowCount: string; nodes: string }>(summary);
    for (const { table, rowCount, nodes } of rows) onProgress(`${table}: ${rowCount} rows on ${nodes} nodes`);
    await once(client, "complete", async () => undefined);
  });
}

/** What `distribute` would do, and about how long it would take. Changes nothing. */
export async function planDistribution(url: string): Promise<string[]> {
  await requireMigrations(url);
  return withConnection(url, async (client) => {
    await checkCluster(client);
    const done = (await listDoneSteps(client)) ?? [];
    const left = steps.filter(({ name }) => !done.includes(name));
    const { rows: sizes } = await client.query<{ table: string; size: string }>(
      `SELECT name AS table, pg_size_pretty(pg_total_relation_size(name::regclass)) AS size
       FROM unnest($1::text[]) AS name`,
      [[...copiedTables, "users"]],
    );
    return [
      ...left.map(({ name }, index) => `${index + 1}/${left.length} ${name}`),
      ...sizes.map(({ table, size }) => `${table}: ${size}`),
      ...(done.length === 0 ? [await estimate(client)] : []),
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

const sampleRows = 20_000;

/**
 * Distributes a sample of the messages in a transaction that is rolled back, with a shard key and a primary key, and takes
 * all other rows for as expensive as those.
 */
async function estimate(client: pg.Client): Promise<string> {
  const { rows: counts } = await client.query<{ count: string }>(
    copiedTables.map((table) => `SELECT count(*) AS count FROM ${table}`).join(" UNION ALL "),
  );
  const rowCount = counts.reduce((sum, { count }) => sum + Number(count), 0);
  await client.query(beginUnlimited);
  try {
    const startedAt = performance.now();
    await client.query(`CREATE TABLE madang_sample AS SELECT * FROM messages LIMIT ${sampleRows}`);
    const sampled = Number((await client.query("SELECT count(*) FROM madang_sample")).rows[0]?.count);
    if (sampled < sampleRows) return `Duration: seconds. There are ${rowCount} rows.`;
    await client.query("ALTER TABLE madang_sample ADD COLUMN shard_key integer");
    await client.query("UPDATE madang_sample SET shard_key = channel_pk % 65536");
    await client.query("ALTER TABLE madang_sample ADD PRIMARY KEY (channel_pk, created_at, pk, shard_key)");
    await client.query(
      "SELECT create_distributed_table('madang_sample', 'shard_key', colocate_with => 'none')",
    );
    const perSecond = Math.round((sampled / (performance.now() - startedAt)) * 1_000);
    const minutes = Math.ceil(rowCount / perSecond / 60);
    return `Duration: at least ${minutes} minutes for ${rowCount} rows, at the speed of a sample of ${sampled}: ${perSecond} per second.`;
  } finally {
    await client.query("ROLLBACK");
  }
}

/** Runs a step unless it was done before. Two processes wait for each other. */
async function once(
  client: pg.Client,
  step: string,
  work: () => Promise<number | undefined>,
): Promise<boolean> {
  await client.query(beginUnlimited);
  try {
    // A foreign key to the copies of the users is not created after shards were changed on several connections.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    await client.query("LOCK TABLE madang_distribution IN EXCLUSIVE MODE");
    const { rowCount } = await client.query("SELECT FROM madang_distribution WHERE step = $1", [step]);
    if (rowCount === 0)
      await client.query("INSERT INTO madang_distribution VALUES ($1, $2)", [step, await work()]);
    await client.query("COMMIT");
    return rowCount === 0;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

async function count(client: pg.Client, table: string | undefined): Promise<number | undefined> {
  if (table === undefined) return undefined;
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`);
  return Number(rows[0]?.count);
}

const nodes = `(SELECT count(DISTINCT nodeport || nodename) FROM citus_shards WHERE table_name = 'channels'::regclass)`;
const summary = copiedTables
  .map(
    (table) => `SELECT '${table}' AS table, (SELECT count(*) FROM ${table}) AS "rowCount", ${nodes} AS nodes`,
  )
  .join(" UNION ALL ");
