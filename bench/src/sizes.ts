import type pg from "pg";
import type { Findings } from "./findings";
import { startLoad } from "./keys";
import type { Run } from "./run";
import { createTestbed } from "./testbed";

/** Writes whose rows are measured: each has an idempotency key. */
const ids = ["users.create", "channels.create", "messages.send"];
const minRows = 100;

/** The bytes per row of each table, with its indexes, after keyed writes through the server. */
export async function measureSizes({ settings, resources }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  for (const id of ids) {
    const { load, server } = await startLoad(testbed, settings, id);
    await load();
    await server.stop();
  }
  await testbed.database.query("VACUUM ANALYZE");
  const sizes = await readSizes(testbed.database);
  return {
    tables: [
      [
        ["table", "bytes per row", "of indexes", "together"],
        ...sizes.map(({ name, rows, tableBytes, indexBytes }) => [
          `\`${name}\``,
          whole(tableBytes / rows),
          whole(indexBytes / rows),
          whole((tableBytes + indexBytes) / rows),
        ]),
      ],
    ],
    notes: [],
    data: sizes,
  };
}

interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

async function readSizes(database: pg.Client): Promise<TableSize[]> {
  const tables = await database.query<Omit<TableSize, "rows">>(
    `SELECT relname AS name, pg_table_size(relid)::float8 AS "tableBytes", pg_indexes_size(relid)::float8 AS "indexBytes"
     FROM pg_stat_user_tables ORDER BY relname`,
  );
  const sizes: TableSize[] = [];
  for (const table of tables.rows) {
    const counted = await database.query(`SELECT count(*)::float8 AS rows FROM "${table.name}"`);
    const { rows } = counted.rows[0];
    if (rows >= minRows) sizes.push({ ...table, rows });
  }
  return sizes;
}

const whole = (value: number) => Math.round(value).toLocaleString("en-US");
