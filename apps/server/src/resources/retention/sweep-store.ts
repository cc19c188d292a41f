import type { Queryable, Statement } from "../../db/db";
import { oldest, type Position } from "../../paging/position";
import { eraseChosen, selectForChange } from "../messages/erase-store";
import { keptSince, retentionDays } from "./conditions";

const channelsPerStep = 1_000;
const messagesPerStep = 250;

/** Erases expired messages. */
export interface DueMessages {
  /** Erases expired messages of a channel, or finds the next channels with some. Returns false at the end of the round. */
  step(): Promise<boolean>;
  /** Begins a new round over all channels. */
  restart(): void;
}

/** Erases expired messages in rounds. Several processes can run rounds at the same time. */
export function sweepDueMessages(db: Queryable): DueMessages {
  let round = eraseAllDue(db);
  const restart = () => {
    round = eraseAllDue(db);
  };
  return {
    async step() {
      const current = round;
      try {
        const { done } = await current.next();
        // Unless `restart` was called during the step.
        const isRoundOver = done === true && round === current;
        if (isRoundOver) restart();
        return !isRoundOver;
      } catch (error) {
        // A shard of this round may be gone. The server looks up the others after the error, and the new round at its first step.
        restart();
        throw error;
      }
    },
    restart,
  };
}

/** Visits the channels by key and erases their expired messages, oldest first. Each step locks a channel for some milliseconds. */
async function* eraseAllDue(db: Queryable): AsyncGenerator<void> {
  for (const shard of db.shards()) {
    let searchedTo: number | null = 0;
    while (searchedTo !== null) {
      const [found]: Due[] = await shard.query(findDue, [searchedTo, channelsPerStep]);
      for (const channelPk of found?.due ?? []) {
        let after: Position | undefined = oldest;
        while (after !== undefined) {
          after = await eraseDue(shard, channelPk, after);
          yield;
        }
      }
      searchedTo = found?.last ?? null;
      yield;
    }
  }
}

/** Erases some expired messages of a channel after a position. Returns the last one, or undefined if no more are left. */
async function eraseDue(shard: Queryable, channelPk: number, after: Position): Promise<Position | undefined> {
  const chosen = await shard.query(erase, [channelPk, after.createdAt, after.pk, messagesPerStep]);
  return chosen.length < messagesPerStep ? undefined : chosen.at(-1);
}

interface Due {
  readonly due: readonly number[] | null;
  /** Null if there are no channels left. */
  readonly last: number | null;
}

const findDue: Statement<Due> = {
  name: "retention.find-due",
  text: `SELECT max(pk) AS last, json_agg(pk ORDER BY pk) FILTER (WHERE EXISTS (
      SELECT FROM {messages} m WHERE m.channel_pk = c.pk AND m.created_at < ${keptSince("c")})) AS due
    FROM (SELECT * FROM {channels} WHERE pk > $1 AND deleted_at IS NULL
      AND ${retentionDays("{channels}")} IS NOT NULL ORDER BY pk LIMIT $2) AS c`,
};

// Begins after the last erased message: PostgreSQL would read the deleted rows before it again until a vacuum.
const erase: Statement<Position> = {
  name: "retention.erase",
  text: `WITH channel AS (${selectForChange("pk = $1")}), chosen AS (
      SELECT due.created_at, due.pk FROM channel CROSS JOIN LATERAL (
        SELECT created_at, pk FROM {messages} WHERE channel_pk = channel.pk AND created_at < kept_since
          AND (created_at, pk) > ($2::bigint, $3::bigint)
        ORDER BY created_at, pk LIMIT $4) AS due
    ), ${eraseChosen}
    SELECT created_at AS "createdAt", pk FROM chosen ORDER BY created_at, pk`,
};
