import type { Queryable, Statement } from "../../db/db";
import { lockSome } from "../channels/lock-store";

/** A row of a user in a channel. */
export interface Found {
  readonly channelPk: number;
}

/** One kind of rows of a user in its channels, which are erased in steps. */
export interface Traces<Row extends Found> {
  /** The next rows of a user after a position, in the order of the positions. */
  pick(shard: Queryable, userPk: number, after: readonly number[]): Promise<Row[]>;
  positionOf(row: Row): readonly number[];
  /** The position before all others. */
  readonly start: readonly number[];
  /** Erases the rows while their channels are locked. Returns the channels of the erased rows, without deleted channels. */
  erase(shard: Queryable, rows: readonly Row[]): Promise<readonly Found[]>;
  /** Set if the erasure counts these rows: the erased ones, and those left because of a hold. */
  readonly counts?: "messages";
}

/** Where the next step continues: the indexes of the shard and the user, and a position. */
export interface Cursor {
  readonly shard: number;
  readonly user: number;
  readonly after: readonly number[];
}

/**
 * Erases one step of rows of the users, except in channels on hold, and counts both. Returns undefined when all rows were
 * visited.
 */
export async function eraseSome<Row extends Found>(
  tx: Queryable,
  traces: Traces<Row>,
  erasurePk: number,
  users: readonly number[],
  { shard: shardIndex = 0, user: userIndex = 0, after = traces.start }: Partial<Cursor>,
): Promise<Cursor | undefined> {
  const shard = tx.shards()[shardIndex];
  if (shard === undefined) return undefined;
  const user = users[userIndex];
  if (user === undefined) return { shard: shardIndex + 1, user: 0, after: traces.start };
  const picked = await traces.pick(shard, user, after);
  if (picked.length === 0) return { shard: shardIndex, user: userIndex + 1, after: traces.start };
  const channels = [...new Set(picked.map(({ channelPk }) => channelPk))];
  const locked = new Map((await lockSome(shard, channels)).map((channel) => [channel.pk, channel]));
  const erased = await traces.erase(
    shard,
    picked.filter((row) => locked.get(row.channelPk)?.isHeld === false),
  );
  // The next step begins with the first row whose channel was not locked, so only held rows before it are counted now.
  const left = picked.findIndex((row) => !locked.has(row.channelPk));
  const done = left < 0 ? picked : picked.slice(0, left);
  const held = done.filter((row) => locked.get(row.channelPk)?.isHeld === true);
  const isCounted = traces.counts === "messages";
  await tx.query(count, [
    erasurePk,
    isCounted ? erased.length : 0,
    erased.map(({ channelPk }) => channelPk),
    isCounted ? held.length : 0,
    held.map(({ channelPk }) => channelPk),
  ]);
  const last = done.at(-1);
  return { shard: shardIndex, user: userIndex, after: last === undefined ? after : traces.positionOf(last) };
}

const count: Statement<unknown> = {
  name: "privacy.count",
  text: `WITH added AS (
      INSERT INTO erasure_channels (erasure_pk, channel_pk)
      SELECT DISTINCT $1::bigint, channel_pk FROM unnest($3::bigint[]) AS channel_pk
      ON CONFLICT DO NOTHING RETURNING 1
    ), held AS (
      INSERT INTO erasure_holds (erasure_pk, channel_pk)
      SELECT DISTINCT $1::bigint, channel_pk FROM unnest($5::bigint[]) AS channel_pk
      ON CONFLICT DO NOTHING
    )
    UPDATE erasures SET erased_messages = erased_messages + $2::bigint, held_messages = held_messages + $4::bigint,
      erased_channels = erased_channels + (SELECT count(*) FROM added)
    WHERE pk = $1 RETURNING 1`,
};
