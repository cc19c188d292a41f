import { lockOne } from "../../chat/channels/lock-store";
import { eraseChosen } from "../../chat/messages/erase-store";
import { type Db, databaseNow, type Statement } from "../../db/db";
import { inRounds, type Progress } from "../../jobs/run-jobs";
import { oldest, type Position } from "../../paging/position";

const channelsPerStep = 1_000;
const messagesPerStep = 250;
const dayMs = 86_400_000;

/**
 * Returns a function that erases expired messages of a channel, or finds the next channels with some. Several processes can run rounds
 * at the same time. `serverDays` is the retention of channels that have none of their own; undefined: their messages are kept forever.
 */
export const createSweeper = (db: Db, serverDays: number | undefined) =>
  inRounds(() => eraseAllDue(db, serverDays));

/** Visits the channels by key and erases their expired messages, oldest first. Each step locks a channel for some milliseconds. */
async function* eraseAllDue(db: Db, serverDays: number | undefined): AsyncGenerator<Progress, undefined> {
  const findDue = serverDays === undefined ? findDueOfOwn : findDueOfAll;
  for (const schema of db.schemas()) {
    let searchedTo: number | null = 0;
    while (searchedTo !== null) {
      const [found]: Due[] = await schema.query(findDue, [searchedTo, channelsPerStep, serverDays ?? null]);
      for (const channelPk of found?.due ?? []) {
        let after: Position | undefined = oldest;
        while (after !== undefined) {
          after = await eraseDue(schema, channelPk, after, serverDays);
          yield true;
        }
      }
      searchedTo = found?.last ?? null;
      yield true;
    }
  }
}

/** Erases some expired messages of a channel after a position. Returns the last one, or undefined if no more are left. */
async function eraseDue(
  db: Db,
  channelPk: number,
  after: Position,
  serverDays: number | undefined,
): Promise<Position | undefined> {
  const values = [channelPk, after.createdAt, after.pk, messagesPerStep, serverDays ?? null];
  const chosen = await db.transaction(async (tx) => {
    await tx.query(lockOne, [channelPk]);
    return tx.query(erase, values);
  });
  return chosen.length < messagesPerStep ? undefined : chosen.at(-1);
}

interface Due {
  readonly due: readonly number[] | null;
  /** Null if there are no channels left. */
  readonly last: number | null;
}

/**
 * The time before which the messages of a channel have expired, in SQL; null if they do not expire or are held. The clock of the
 * database decides.
 */
const dueBefore = (channel: string, serverDays: string) =>
  `CASE WHEN NOT ${channel}.is_held
    THEN ${databaseNow} - ${dayMs}::bigint * COALESCE(${channel}.retention_days, ${serverDays}::integer) END`;

const defineFindDue = (name: string, hasRetention: string): Statement<Due> => ({
  name,
  text: `SELECT max(pk) AS last, json_agg(pk ORDER BY pk) FILTER (WHERE EXISTS (
      SELECT FROM messages m WHERE m.channel_pk = c.pk AND m.created_at < ${dueBefore("c", "$3")})) AS due
    FROM (SELECT * FROM channels WHERE pk > $1 AND deleted_at IS NULL AND ${hasRetention} ORDER BY pk LIMIT $2) AS c`,
});

const findDueOfAll = defineFindDue("retention.find-due", "true");
// Without a retention of the server: an index has the channels with one of their own. To find them among many, all would be read.
const findDueOfOwn = defineFindDue("retention.find-due-of-own", "retention_days IS NOT NULL");

// Begins after the last erased message: PostgreSQL would read the deleted rows before it again until a vacuum.
const erase: Statement<Position> = {
  name: "retention.erase",
  text: `WITH chosen AS (
      SELECT due.* FROM channels c CROSS JOIN LATERAL (
        SELECT channel_pk, created_at, pk FROM messages WHERE channel_pk = c.pk AND created_at < ${dueBefore("c", "$5")}
          AND (created_at, pk) > ($2::bigint, $3::bigint)
        ORDER BY created_at, pk LIMIT $4) AS due
      WHERE c.pk = $1 AND c.deleted_at IS NULL
    ), ${eraseChosen}
    SELECT created_at AS "createdAt", pk FROM chosen ORDER BY created_at, pk`,
};
