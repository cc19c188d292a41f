import { collectEvents, measureUncollected, type Queue } from "../../../db/citus/collect-events";
import type { Db, Statement } from "../../../db/db";

/** The channel of PostgreSQL's NOTIFY for the last position, and for processes that follow the feed. */
export const notificationChannel = "madang_events";
export const followedMessage = "followed";
/** The channel for what is not in the feed. */
export const liveChannel = "madang_live";

interface Numbered {
  /** The position of the last event that has one. */
  readonly lastPosition: number;
  /** Whether this call assigned positions. */
  readonly isOwn: boolean;
  /** Whether another process stored a range at the same moment, so that events may still have no position. */
  readonly isOvertaken: boolean;
}

/**
 * Assigns a position to every committed event without one. Positions are consecutive.
 *
 * A change inserts its events with its transaction id, in the statement of the change itself, and nothing writes those
 * rows again. Positions are stored by range: a row of `event_ranges` says that the positions after `after_position` up to
 * `last_position` belong to the events of the transactions `transaction_ids`, in the order of their keys. One statement
 * makes a range. It takes the events of the transactions that its snapshot sees and the snapshot of the range before did
 * not see (those with an id from `next_transaction_id` on, and those in `running_transaction_ids`), and stores its own
 * snapshot in the new range. Therefore:
 *
 * - No event is skipped: a transaction that runs in one snapshot is looked for in the next, however late it commits.
 * - No event is numbered twice: what a snapshot sees, every later one sees.
 * - The events of a channel keep their order. Their keys are drawn while the channel is locked, so the earlier event has
 *   the lower key, and was committed before the later one was written: no snapshot sees only the later one.
 * - Ranges form a chain. Each begins where its predecessor ends, and that is its primary key: of two processes at the
 *   same moment, one stores nothing and looks again. No lock is held between two statements, so a process that is killed
 *   or stopped blocks no other.
 *
 * The events of a distributed database are collected first. With `waitsForLock`, this waits for another process that collects,
 * instead of returning early.
 */
export async function numberEvents(db: Db, { waitsForLock }: { waitsForLock: boolean }): Promise<Numbered> {
  const isComplete = await collectEvents(db, { waitsForLock });
  const [numbered] = await db.query(number);
  if (numbered === undefined) throw new Error("The table of event ranges is empty.");
  return isComplete ? numbered : { ...numbered, isOvertaken: true };
}

/** Notifies every process that this one follows the feed. */
export async function announceFollowers(db: Db): Promise<void> {
  await db.query(announce);
}

/** Sends notifications of what is not in the feed to every process. */
export async function notifyProcesses(db: Db, payloads: readonly string[]): Promise<void> {
  await db.query(notify, [payloads]);
}

/** How many events have no position yet, and the age of the oldest of them. */
export async function measureQueue(db: Db): Promise<Queue> {
  const [collected = { queue: 0, lagSeconds: 0 }] = await db.query(measure);
  const { queue, lagSeconds } = await measureUncollected(db);
  return { queue: collected.queue + queue, lagSeconds: Math.max(collected.lagSeconds, lagSeconds) };
}

/**
 * SQL: the events of the transactions that the snapshot of a range, a row, does not see. The bounds of the scan, and OFFSET, make
 * PostgreSQL use the index even without statistics of the table.
 */
export const eventsAfterSnapshot = (range: string, columns: string, condition = "true"): string =>
  `SELECT event.* FROM ${range} CROSS JOIN LATERAL (
        SELECT ${columns} FROM events WHERE ${condition}
          AND transaction_id >= ${range}.next_transaction_id AND transaction_id < ${Number.MAX_SAFE_INTEGER}
        OFFSET 0) AS event
      UNION ALL
      SELECT event.* FROM ${range} CROSS JOIN unnest(${range}.running_transaction_ids) AS running (id)
      CROSS JOIN LATERAL (SELECT ${columns} FROM events WHERE ${condition} AND transaction_id = running.id OFFSET 0) AS event`;

const findUnnumbered = `previous AS MATERIALIZED (
      SELECT last_position, next_transaction_id, running_transaction_ids
      FROM event_ranges ORDER BY after_position DESC LIMIT 1
    ), found AS MATERIALIZED (
      ${eventsAfterSnapshot("previous", "transaction_id, created_at")}
    )`;

const number: Statement<Numbered> = {
  name: "events.number",
  text: `WITH ${findUnnumbered}, made AS (
      INSERT INTO event_ranges (after_position, last_position, transaction_ids, next_transaction_id,
        running_transaction_ids, nonce, created_at)
      SELECT last_position, last_position + count(*), array_agg(DISTINCT transaction_id),
        (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint,
        ARRAY(SELECT (pg_snapshot_xip(pg_current_snapshot())::text)::bigint),
        floor(random() * 4503599627370496)::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      FROM previous, found GROUP BY last_position
      ON CONFLICT DO NOTHING RETURNING last_position
    )
    SELECT COALESCE(made.last_position, previous.last_position) AS "lastPosition",
      made.last_position IS NOT NULL AS "isOwn", made.last_position IS NULL AND EXISTS (SELECT FROM found) AS "isOvertaken",
      CASE WHEN made.last_position IS NOT NULL
        THEN pg_notify('${notificationChannel}', made.last_position::text)::text END AS notified
    FROM previous LEFT JOIN made ON true`,
};

const announce: Statement<unknown> = {
  name: "events.announce-followers",
  text: `SELECT pg_notify('${notificationChannel}', '${followedMessage}')`,
};

const notify: Statement<unknown> = {
  name: "events.notify",
  text: `SELECT pg_notify('${liveChannel}', payload)::text FROM unnest($1::text[]) AS payload`,
};

const measure: Statement<Queue> = {
  name: "events.measure",
  text: `WITH ${findUnnumbered} SELECT count(*) AS queue, COALESCE(GREATEST(0,
      extract(epoch FROM clock_timestamp()) - min(created_at) / 1000.0), 0)::float8 AS "lagSeconds" FROM found`,
};
