import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable, Statement } from "../../db/db";
import { oldest, type Position } from "../../paging/position";
import { eraseChosen, lockChannel } from "../messages/erase-store";
import { keptSince, retentionDays } from "./conditions";

const channelsPerStep = 1_000;
const messagesPerStep = 250;
/** The pause between two steps, in which requests that wait for the channel run. */
const minPauseMs = 10;

/** Erases expired messages. */
export interface DueMessages {
  /** Erases expired messages of a channel, or finds the next channels with some. Returns false at the end of the round. */
  step(): Promise<boolean>;
  /** Begins a new round over all channels. */
  restart(): void;
}

/**
 * A round visits the channels by key and erases their expired messages, oldest first, in steps that lock the channel for some
 * milliseconds. Several processes can run rounds at the same time.
 */
export function sweepDueMessages(db: Queryable): DueMessages {
  let round = beginRound(db);
  return {
    async step() {
      const current = round;
      const startedAt = performance.now();
      const isMore = await current.step().catch((error: unknown) => {
        // A shard of this round may be gone. The server looks up the others after the error, and the new round at its first step.
        round = beginRound(db);
        throw error;
      });
      if (isMore) await sleep(Math.max(minPauseMs, performance.now() - startedAt));
      // `restart` was called during the step.
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
  let shards: Queryable[] | undefined;
  /** The channels with expired messages that were found in the first shard, up to `searchedTo`. */
  let due: number[] = [];
  let searchedTo = 0;
  let erasedTo = oldest;
  return {
    async step() {
      shards ??= [...db.shards()];
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

/** Erases some expired messages of a channel after a position. Returns the last one, or undefined if no more are left. */
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

// Begins after the last erased message: PostgreSQL would read the deleted rows before it again until a vacuum.
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
