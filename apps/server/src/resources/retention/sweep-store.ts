import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable, Statement } from "../../db/db";
import { oldest, type Position } from "../../paging/position";
import { eraseChosen, lockChannel } from "../messages/erase-store";
import { keptSince, retentionDays } from "./conditions";

const channelsPerStep = 1_000;
const messagesPerStep = 250;
/** Between two steps, the requests that wait for the channel run. */
const minPauseMs = 10;

/** Erases the messages that are older than their channel keeps them. */
export interface DueMessages {
  /** Erases some, or looks for some in other channels. Returns whether the round over all channels goes on. */
  step(): Promise<boolean>;
  /** Begins another round, which sees what has become due before. */
  restart(): void;
}

/**
 * A round goes through the channels by key and erases what is due in each, oldest first, in steps that lock the channel for
 * some milliseconds. Several processes may do so at the same time: what one has erased, the other does not find.
 */
export function sweepDueMessages(db: Queryable): DueMessages {
  let round = beginRound(db);
  return {
    async step() {
      const current = round;
      const startedAt = performance.now();
      const isMore = await current.step();
      if (isMore) await sleep(Math.max(minPauseMs, performance.now() - startedAt));
      // Restarted meanwhile: the new round begins.
      if (isMore || round !== current) return true;
      round = beginRound(db);
      return false;
    },
    restart() {
      round = beginRound(db);
    },
  };
}

function beginRound(db: Queryable): Pick<DueMessages, "step"> {
  const shards = [...db.shards()];
  /** The channels of the first shard with due messages, and up to which channel it was searched. */
  let due: number[] = [];
  let searchedTo = 0;
  let erasedTo = oldest;
  return {
    async step() {
      const [shard] = shards;
      const [channelPk] = due;
      if (shard === undefined) return false;
      if (channelPk !== undefined) {
        const last = await eraseDue(shard, channelPk, erasedTo);
        erasedTo = last ?? oldest;
        if (last === undefined) due.shift();
        return true;
      }
      const [found] = await shard.query(findDue, [searchedTo, channelsPerStep]);
      due = [...(found?.due ?? [])];
      searchedTo = found?.last ?? 0;
      if (found?.last == null) shards.shift();
      return shards.length > 0;
    },
  };
}

/** Erases the first due messages of a channel after a position. Returns the last of them if there may be more. */
async function eraseDue(shard: Queryable, channelPk: number, after: Position): Promise<Position | undefined> {
  const chosen = await shard.query(erase, [channelPk, after.createdAt, after.pk, messagesPerStep]);
  return chosen.length < messagesPerStep ? undefined : chosen.at(-1);
}

/** `last` is null if there are no channels left. */
const findDue: Statement<{ due: readonly number[] | null; last: number | null }> = {
  name: "retention.find-due",
  text: `SELECT max(pk) AS last, json_agg(pk ORDER BY pk) FILTER (WHERE EXISTS (
      SELECT FROM {messages} m WHERE m.channel_pk = c.pk AND m.created_at < ${keptSince("c")})) AS due
    FROM (SELECT * FROM {channels} WHERE pk > $1 AND deleted_at IS NULL
      AND ${retentionDays("{channels}")} IS NOT NULL ORDER BY pk LIMIT $2) AS c`,
};

// It begins after what the step before has erased: PostgreSQL would pass over those rows again until they are vacuumed.
const erase: Statement<Position> = {
  name: "retention.erase",
  text: `WITH channel AS (${lockChannel("pk = $1")}), chosen AS (
      SELECT due.created_at, due.pk FROM channel CROSS JOIN LATERAL (
        SELECT created_at, pk FROM {messages} WHERE channel_pk = channel.pk AND created_at < kept_since
          AND (created_at, pk) > ($2::bigint, $3::bigint)
        ORDER BY created_at, pk LIMIT $4) AS due
    ), ${eraseChosen}
    SELECT created_at AS "createdAt", pk FROM chosen ORDER BY created_at, pk`,
};
