import type pg from "pg";

/** PostgreSQL's statistics of the table of idempotency keys. They are complete after the server has stopped. */
export interface KeyTable {
  readonly inserted: number;
  readonly updated: number;
  /** Updates that wrote no index entry. */
  readonly hotUpdated: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

export async function readKeyTable(database: pg.Client): Promise<KeyTable> {
  const { rows } = await database.query(
    `SELECT n_tup_ins::float8 AS inserted, n_tup_upd::float8 AS updated, n_tup_hot_upd::float8 AS "hotUpdated",
       pg_table_size(relid)::float8 AS "tableBytes", pg_indexes_size(relid)::float8 AS "indexBytes"
     FROM pg_stat_user_tables WHERE relname = 'idempotency_keys'`,
  );
  return rows[0];
}

const retentionMs = 86_400_000;

/**
 * Stores copies of the newest key, a tenth of which have expired at the given time. They are ordered by time, as if
 * requests had stored them. The indexes are built afterwards, which is faster.
 */
export async function fillKeys(database: pg.Client, count: number, now: number): Promise<void> {
  const columns = await database.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'idempotency_keys'",
  );
  const indexes = await database.query<{ name: string; definition: string }>(
    "SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'idempotency_keys'",
  );
  const names = columns.rows.map(({ name }) => name);
  const values = names.map((name) =>
    name === "key" ? "gen_random_uuid()::text" : name === "created_at" ? "at" : `template.${name}`,
  );
  const oldest = now - retentionMs / 0.9;
  await database.query("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'");
  await database.query("ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey");
  for (const { name } of indexes.rows) await database.query(`DROP INDEX IF EXISTS "${name}"`);
  await database.query(
    `INSERT INTO idempotency_keys (${names.join(", ")}) SELECT ${values.join(", ")}
     FROM (SELECT * FROM idempotency_keys ORDER BY created_at DESC LIMIT 1) AS template, generate_series(1, $1::int) AS i,
       LATERAL (SELECT ($2::float8 + ($3::float8 - $2::float8) * i / $1::int)::bigint AS at) AS stored`,
    [count, oldest, now],
  );
  for (const { definition } of indexes.rows) await database.query(definition);
  await database.query(
    "ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY USING INDEX idempotency_keys_pkey",
  );
  await database.query("RESET synchronous_commit; RESET maintenance_work_mem");
  await database.query("VACUUM ANALYZE idempotency_keys");
  await database.query("CHECKPOINT");
}

/** The number of keys that have expired at the given time. */
export async function countExpired(database: pg.Client, now: number): Promise<number> {
  const text = "SELECT count(*)::float8 AS count FROM idempotency_keys WHERE created_at < $1";
  const { rows } = await database.query(text, [Math.floor(now - retentionMs)]);
  return rows[0].count;
}
