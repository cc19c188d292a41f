import type pg from "pg";
import { replay } from "../claim";
import type { Statement } from "../statement";
import type { ShardCall } from "./parts";
import { type Shard, type ShardedTable, shardedTables } from "./shard-map";

/**
 * Runs a statement on the node of a shard, on the tables of the shard. With a claim of an idempotency key, it takes effect
 * unless the key was used before. Of two concurrent requests with one key, the second fails on the primary key of
 * `idempotency_keys` and changes nothing.
 */
export async function callShard<Row>(
  client: pg.ClientBase,
  ...[{ shard, shardKey }, statement, values, claim]: ShardCall<Row>
): Promise<Row[]> {
  const name = nameOf(statement, shard);
  const call = [shardKey, shard.id, name, renameTables(statement.text, shard), values.map(encode)];
  const { rows } = await (claim === undefined
    ? client.query<Result<Row>>({ ...run, values: call })
    : client.query<Result<Row>>({
        ...runOnce,
        values: [claim.caller, claim.key, claim.fingerprint, claim.now, claim.expiredBefore, ...call],
      }));
  const result = rows[0];
  if (claim !== undefined && result?.earlier != null) return replay(claim, result.earlier, result.rows ?? []);
  return result?.rows ?? [];
}

interface Result<Row> {
  /** The fingerprint of the earlier request with the key. The rows are those of its effect. */
  readonly earlier?: Buffer | null;
  readonly rows: Row[] | null;
}

const run = {
  name: "citus.run",
  text: "SELECT madang_run($1::integer, $2::bigint, $3::text, $4::text, $5::text[]) AS rows",
};

const runOnce = {
  name: "citus.run-once",
  text: `SELECT earlier, rows FROM madang_run_once($1::text, $2::text, $3::bytea, $4::bigint, $5::bigint,
    $6::integer, $7::bigint, $8::text, $9::text, $10::text[])`,
};

/**
 * Makes the transaction commit in two phases, although Citus notices only one node: it does not count the tables of the
 * coordinator. A change that finds no row is enough.
 */
export const forceTwoPhase: Statement<unknown> = {
  name: "citus.force-two-phase",
  text: "UPDATE madang_two_phase SET number = number WHERE number = 0",
};

/** PostgreSQL cuts longer names. */
const nameOf = ({ name }: Statement<unknown>, shard: Shard) => `${shard.id} ${name}`.slice(0, 63);

const tableNames = new RegExp(`(?<!['"])\\b(${Object.keys(shardedTables).join("|")})\\b(?!['"])`, "g");
const renamed = new WeakMap<Shard, Map<string, string>>();

/** The statement with the names of the tables of the shard. Names in quotes stay as they are. */
export function renameTables(text: string, shard: Shard): string {
  const known = renamed.get(shard) ?? new Map<string, string>();
  renamed.set(shard, known);
  const done = known.get(text) ?? text.replaceAll(tableNames, (name) => shard.tables[name as ShardedTable]);
  known.set(text, done);
  return done;
}

/** A value as PostgreSQL reads it, converted as `pg` converts parameters. */
export function encode(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString("hex")}`;
  if (Array.isArray(value)) return encodeArray(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function encodeArray(values: readonly unknown[]): string {
  const entries = values.map((value) => {
    const text = encode(value);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${entries.join(",")}}`;
}
