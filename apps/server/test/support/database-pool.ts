import { randomBytes } from "node:crypto";
import type pg from "pg";
import { emptyAllExcept } from "../../src/db/embedded/empty-tables";
import { onEmbedded } from "../../src/db/embedded/wait-until-ready";
import { queryOnce } from "./query-once";

/** Larger ones take longer to compare and to empty than a new one takes. */
const maxGrowthBytes = 4 * 2 ** 20;

/** The migrations of all databases of a run are the same. */
const kept = ["_prisma_migrations"];

/**
 * The databases of the test files: copies of one that is migrated. A file that ends gives its database back; a later one gets it,
 * without rows. That takes a twentieth of the processor time of a new one. A database that then differs from a new one in
 * anything, such as a renamed table, statistics or a setting, is dropped instead.
 */
export class DatabasePool {
  readonly #template: URL;
  readonly #directUrl: string;
  readonly #free: string[] = [];
  #initial: Promise<Initial> | undefined;

  constructor(templateUrl: string, directUrl = templateUrl) {
    this.#template = new URL(templateUrl);
    this.#directUrl = directUrl;
  }

  /** The URL of a database that equals a new one. */
  async take(): Promise<string> {
    const free = this.#free.pop();
    if (free !== undefined) return this.#urlOf(free);
    const name = `test_${randomBytes(6).toString("hex")}`;
    await this.#administrate(`CREATE DATABASE ${name} TEMPLATE ${this.#template.pathname.slice(1)}`);
    return this.#urlOf(name);
  }

  /** Ends its connections, empties it and keeps it, or drops it. */
  async giveBack(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    this.#initial ??= onEmbedded(this.#directUrl, readInitial);
    const initial = await this.#initial;
    // A test may have lost a table, or the whole database.
    const isNew = await onEmbedded(url, (client) => restore(client, initial)).catch(() => false);
    if (isNew) this.#free.push(name);
    else await this.#administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  #urlOf(name: string): string {
    return Object.assign(new URL(this.#template), { pathname: `/${name}` }).href;
  }

  async #administrate(sql: string): Promise<void> {
    await queryOnce(Object.assign(new URL(this.#template), { pathname: "/postgres" }), sql);
  }
}

/** A database as the migrations leave it. */
interface Initial {
  readonly state: State;
  /** Stores the rows that the migrations store. */
  readonly insert: string;
}

interface State {
  readonly bytes: number;
  /** Equal only for databases with the same structure, statistics, settings, sequences and rows. */
  readonly hash: string;
}

async function readInitial(client: pg.Client): Promise<Initial> {
  const inserts: string[] = [];
  for (const name of await listTables(client)) {
    const { rows } = await client.query<{ rows: string | null }>(
      `SELECT quote_literal(json_agg(t)) AS rows FROM ${name} t`,
    );
    const [found] = rows;
    if (found?.rows && !kept.includes(name))
      inserts.push(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, ${found.rows})`);
  }
  return { state: await readState(client), insert: inserts.join(";") };
}

/** Makes a database equal to a new one. False if that is not possible. */
async function restore(client: pg.Client, { state, insert }: Initial): Promise<boolean> {
  await client.query(endConnections);
  const { bytes } = await readState(client);
  if (bytes > state.bytes + maxGrowthBytes) return false;
  await emptyAllExcept(client, kept, insert);
  await client.query(restartSequences);
  const used = await client.query<{ names: string | null }>(listUsed);
  // Otherwise, deleted rows are still in the indexes, and new ones are stored in another order.
  await client.query(`VACUUM (INDEX_CLEANUP ON, SKIP_DATABASE_STATS) ${used.rows[0]?.names ?? ""}`);
  if ((await readState(client)).hash !== state.hash) return false;
  // The counts of this session come first, so that none follow.
  await client.query("SELECT pg_stat_force_next_flush()");
  await client.query("SELECT pg_stat_reset()");
  return true;
}

/** What differs between a database and one that was copied from the same database later. */
export async function readState(client: pg.Client): Promise<State> {
  const hashes = (await listTables(client)).map(
    (name) => `(SELECT md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) FROM ${name} t)`,
  );
  const {
    rows: [found],
  } = await client.query<{ hash: string; bytes: string }>(
    `SELECT md5(concat_ws('|', ${[...structure, ...hashes].join(", ")})) AS hash, ${size} AS bytes`,
  );
  if (found === undefined) throw new Error("PostgreSQL returned no row.");
  return { hash: found.hash, bytes: Number(found.bytes) };
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`,
  );
  return rows.map(({ name }) => name);
}

const endConnections = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

const listUsed = `SELECT string_agg(quote_ident(relname), ', ') AS names FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0`;

const restartSequences = `SELECT setval(quote_ident(sequencename)::regclass, start_value, false) FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL`;

const ofSchemas =
  "relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$')";

const size = `(SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND ${ofSchemas})`;

/** A change of a definition writes its row anew, with another `xmin`. */
const definitionsIn = (catalog: string) =>
  `(SELECT string_agg(concat(oid, ' ', xmin), ',' ORDER BY oid) FROM ${catalog} WHERE oid >= 16384)`;

const structure = [
  ...["pg_constraint", "pg_trigger", "pg_proc", "pg_extension"].map(definitionsIn),
  `(SELECT string_agg(concat_ws(' ', oid, relname, relnatts, relchecks, reloptions), ',' ORDER BY oid)
    FROM pg_class WHERE ${ofSchemas})`,
  `(SELECT string_agg(concat_ws(' ', attrelid, attnum, xmin), ',' ORDER BY attrelid, attnum)
    FROM pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE ${ofSchemas}))`,
  "(SELECT string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp')",
  "(SELECT count(*) FROM pg_statistic WHERE starelid >= 16384)",
  `(SELECT string_agg(s::text, ',') FROM pg_db_role_setting s JOIN pg_database d ON d.oid = setdatabase
    WHERE datname = current_database())`,
  "(SELECT string_agg(concat_ws(' ', sequencename, last_value), ',' ORDER BY sequencename) FROM pg_sequences)",
];
