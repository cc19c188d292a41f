import type pg from "pg";
import { SettingError } from "../../errors";
import { readMigrationStatus } from "../migrations";
import { beginUnlimited } from "../transaction";
import { withConnection } from "../with-connection";
import { checkCluster } from "./check-cluster";
import { steps } from "./steps";

/**
 * Distributes the channels of a database over the nodes of Citus. Each step is a transaction, so an interrupted run
 * continues with the step that it did not finish. No server may run meanwhile.
 */
export async function distribute(url: string, onProgress: (line: string) => void): Promise<void> {
  if ((await readMigrationStatus(url)).pending.length > 0)
    throw new SettingError("The database at DATABASE_URL lacks migrations. Run madang-server migrate first.");
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

/** What `distribute` would do. Changes nothing. */
export async function planDistribution(url: string): Promise<string[]> {
  if ((await readMigrationStatus(url)).pending.length > 0)
    throw new SettingError("The database at DATABASE_URL lacks migrations. Run madang-server migrate first.");
  return withConnection(url, async (client) => {
    await checkCluster(client);
    const { rows: known } = await client.query(
      "SELECT to_regclass('madang_distribution') IS NOT NULL AS found",
    );
    const { rows: done } = known[0]?.found
      ? await client.query<{ step: string }>("SELECT step FROM madang_distribution")
      : { rows: [] };
    const left = steps.filter(({ name }) => done.every(({ step }) => step !== name));
    const { rows: sizes } = await client.query<{ table: string; size: string }>(
      `SELECT name AS table, pg_size_pretty(pg_total_relation_size(name::regclass)) AS size
       FROM unnest(ARRAY['channels', 'members', 'managers', 'messages', 'users']) AS name`,
    );
    return [
      ...left.map(({ name }, index) => `${index + 1}/${left.length} ${name}`),
      ...sizes.map(({ table, size }) => `${table}: ${size}`),
      "Nothing was changed.",
    ];
  });
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
const summary = ["channels", "members", "managers", "messages"]
  .map(
    (table) => `SELECT '${table}' AS table, (SELECT count(*) FROM ${table}) AS "rowCount", ${nodes} AS nodes`,
  )
  .join(" UNION ALL ");
