import { createHash } from "node:crypto";
import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { createNamer, nameEach, plainNames, type Table, type TableNames } from "../tables";

/** The tables of channels on Citus, and the copies of the users. */
const shardedTables: TableNames = {
  ...plainNames,
  events: "channel_events",
  idempotency_keys: "channel_idempotency_keys",
  audit_entries: "channel_audit_entries",
  users: "user_copies",
};

/** Some of the channels: those whose shard keys have a hash in one range. They are on one node. */
export interface Shard {
  /** The number of the shard of `channels` in the metadata of Citus. */
  readonly id: number;
  readonly minHash: number;
  /** A shard key of this range, to reach it without a channel. */
  readonly key: number;
  /** Fills in the names of the tables on the node. */
  readonly nameTables: (text: string) => string;
}

/** Where the channels are. The numbers of the shards stay the same when they move to other nodes. */
export interface ShardMap {
  readonly shards: readonly Shard[];
  find(shardKey: number): Shard;
}

/** The distribution of the database. Undefined if it is not distributed, as on any PostgreSQL without Citus. */
export async function readShardMap(client: Pick<pg.ClientBase, "query">): Promise<ShardMap | undefined> {
  if (!(await isDistributed(client))) return undefined;
  const { rows } = await client.query<ShardRow>(listShards, [Object.values(shardedTables)]);
  return createShardMap(rows);
}

/** Whether the database is distributed. It may still lack tables that a migration adds. */
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

interface ShardRow {
  readonly table: string;
  readonly id: string;
  /** Null for the only shard of a reference table. */
  readonly minHash: string | null;
}

const listShards = `SELECT logicalrelid::regclass::text AS table, shardid AS id, shardminvalue AS "minHash"
  FROM pg_dist_shard WHERE logicalrelid = ANY ($1::text[]::regclass[])`;

function createShardMap(rows: readonly ShardRow[]): ShardMap {
  const users = rows.find(({ table }) => table === shardedTables.users);
  const nameIn = (table: Table, minHash: string | null) => {
    const row =
      table === "users"
        ? users
        : rows.find((each) => each.table === shardedTables[table] && each.minHash === minHash);
    if (row === undefined)
      throw new Error(`The table ${shardedTables[table]} is not distributed like the channels.`);
    return `${row.table}_${row.id}`;
  };
  const ranges = rows
    .filter(({ table }) => table === shardedTables.channels)
    .map(({ id, minHash }) => ({
      id: Number(id),
      minHash: Number(minHash),
      nameTables: createNamer(nameEach((table) => nameIn(table, minHash))),
    }))
    .sort((one, other) => one.minHash - other.minHash);
  const rangeOf = (shardKey: number) => {
    const hash = hashInteger(shardKey);
    const found = ranges.findLast(({ minHash }) => minHash <= hash);
    if (found === undefined) throw new Error("Citus has no shard for a channel.");
    return found;
  };
  const keys = new Map<number, number>();
  for (let key = 0; keys.size < ranges.length; key++) {
    const { id } = rangeOf(key);
    if (!keys.has(id)) keys.set(id, key);
  }
  const shards = ranges.map((range) => ({ ...range, key: keys.get(range.id) ?? 0 }));
  const byId = new Map(shards.map((shard) => [shard.id, shard]));
  return {
    shards,
    find(shardKey) {
      const shard = byId.get(rangeOf(shardKey).id);
      if (shard === undefined) throw new Error("Citus has no shard for a channel.");
      return shard;
    },
  };
}

/** The shard key of a channel: the first four bytes of SHA-256 of its id. */
export const shardKeyOf = (channelId: string): number =>
  createHash("sha256").update(channelId).digest().readInt32BE(0);

/** The same in SQL, for the column of a channel id. */
export const shardKeySql = (column: string) =>
  `('x' || encode(substring(sha256(convert_to(${column}, 'UTF8')) FOR 4), 'hex'))::bit(32)::integer`;

/** The hash of an integer in PostgreSQL, by which Citus distributes rows: `hash_bytes_uint32`. */
export function hashInteger(value: number): number {
  const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));
  let a = 0x9e3779b9 + 4 + 3_923_095;
  let b = a;
  let c = a;
  a = (a + value) | 0;
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  c = (c ^ b) - rotate(b, 24);
  return c | 0;
}
