import { createHash } from "node:crypto";
import type pg from "pg";
import type { Statement, UnionStatement } from "../statement";
import type { Shard } from "./shard-map";

/** A statement on a shard. */
export type ShardCall<Row> = readonly [
  target: ShardTarget,
  statement: Statement<Row>,
  values: readonly unknown[],
];

/** Those of one node: at least one. */
export type Shards = readonly [Shard, ...Shard[]];

/** Where a channel is. */
export interface ShardTarget {
  readonly shard: Shard;
  readonly shardKey: number;
}

/** Runs a statement on the node of a shard, on the tables of the shard. */
export async function callShard<Row>(
  client: pg.ClientBase,
  ...[{ shard, shardKey }, statement, values]: ShardCall<Row>
): Promise<Row[]> {
  const text = shard.nameTables(statement.text);
  const parameters = [shardKey, shard.id, nameOf(statement, shard), text, values.map(encode)];
  const { rows } = await client.query<{ rows: Row[] | null }>({ ...run, values: parameters });
  return rows[0]?.rows ?? [];
}

/** Runs a statement on all shards of one node. */
export async function callNode<Row>(
  client: pg.ClientBase,
  shards: Shards,
  statement: UnionStatement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const ids = shards.map(({ id }) => id);
  const hash = createHash("sha256").update(ids.join()).digest("hex").slice(0, 16);
  const parameters = [shards[0].key, ids, `${hash} ${statement.name}`.slice(0, 63)];
  const call = async (text: string | null) => {
    const { rows } = await client.query<{ rows: Row[] | null }>({
      ...runAll,
      values: [...parameters, text, values.map(encode)],
    });
    return rows[0]?.rows ?? null;
  };
  return (await call(null)) ?? (await call(textOf(statement, shards))) ?? [];
}

const textOf = ({ before, ofShard, after }: UnionStatement<unknown>, shards: Shards) =>
  [
    shards[0].nameTables(before),
    shards.map(({ nameTables }) => nameTables(ofShard)).join(" UNION ALL "),
    shards[0].nameTables(after),
  ].join("");

const runAll = {
  name: "citus.run-all",
  text: "SELECT madang_run_all($1::integer, $2::bigint[], $3::text, $4::text, $5::text[]) AS rows",
};

const run = {
  name: "citus.run",
  text: "SELECT madang_run($1::integer, $2::bigint, $3::text, $4::text, $5::text[]) AS rows",
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
