import type { Queryable, Reader, Statement } from "../../db/db";
import type { Row } from "../../db/row";

/** Events that have no position yet. */
export interface Queue {
  readonly queue: number;
  /** The age of the oldest. */
  readonly lagSeconds: number;
}

const eventsPerStep = 2_000;

/**
 * Moves the events of channels from the schemas to the table `events`, which gives them the keys by which they are
 * numbered. Does nothing unless the database is distributed: there a change writes its event on the node of its channel, so that
 * both are committed as one. The events without a channel wait on the coordinator, so that all are in the order of their times.
 *
 * One process at a time moves events, and holds the lock until the commit on every node, so the events of a channel keep their
 * order. After a crash during a commit, its events stay locked on a node until Citus has completed the transaction.
 *
 * Returns false if another process has the lock. With `waitsForLock`, it waits and moves what is left.
 */
export async function collectEvents(
  db: Queryable,
  { waitsForLock }: { waitsForLock: boolean },
): Promise<boolean> {
  if (!db.isDistributed) return true;
  for (;;) {
    const found = await db.transaction((tx) => moveStep(tx, waitsForLock));
    if (found === undefined) return false;
    if (found < eventsPerStep) return true;
  }
}

/** How many events are not collected yet, and the age of the oldest of them. */
export async function measureUncollected(db: Reader): Promise<Queue> {
  const [measured] = db.isDistributed ? await db.query(measure) : [];
  return measured ?? { queue: 0, lagSeconds: 0 };
}

/** Returns the number of events in the table that had more. */
async function moveStep(tx: Queryable, waitsForLock: boolean): Promise<number | undefined> {
  const [lock] = await tx.query(waitsForLock ? waitForLock : tryLock);
  if (lock?.isLocked !== true) return undefined;
  const waiting = [await tx.query(channelEvents.find, [eventsPerStep])];
  waiting.push(await tx.query(coordinatorEvents.find, [eventsPerStep]));
  const found = Math.max(...waiting.map(({ length }) => length));
  if (found === 0) return found;
  // Takes all visible events, so that a clock that was set back cannot reorder those of a channel. If a table has more than one
  // step takes, the events after the last one that was taken wait, in both tables.
  const cut = waiting.filter(({ length }) => length === eventsPerStep);
  const until = Math.min(...cut.map((events) => events.at(-1)?.createdAt ?? 0), Number.MAX_SAFE_INTEGER);
  const moved = await tx.query(channelEvents.take, [until]);
  moved.push(...(await tx.query(coordinatorEvents.take, [until])));
  if (moved.length > 0) await tx.query(append, [JSON.stringify(moved)]);
  return found;
}

const columns =
  "channel_pk, type, channel_id, user_pk, user_id, message_created_at, message_pk, detail, created_at";

interface Table {
  readonly find: Statement<Row<"Event", "createdAt">>;
  readonly take: Statement<Readonly<Record<string, unknown>>>;
}

const defineTable = (table: string): Table => ({
  find: {
    name: `events.find-in-${table}`,
    text: `SELECT created_at AS "createdAt" FROM ${table} ORDER BY created_at LIMIT $1`,
  },
  take: {
    name: `events.take-from-${table}`,
    text: `DELETE FROM ${table} WHERE created_at <= $1 RETURNING pk, ${columns}`,
  },
});

const channelEvents = defineTable("channel_events");
const coordinatorEvents = defineTable("coordinator_events");

const measure: Statement<Queue> = {
  name: "events.measure-uncollected",
  text: `SELECT sum(queue)::float8 AS queue, COALESCE(GREATEST(0,
      extract(epoch FROM clock_timestamp()) - min(oldest) / 1000.0), 0)::float8 AS "lagSeconds"
    FROM (SELECT count(*) AS queue, min(created_at) AS oldest FROM channel_events
      UNION ALL SELECT count(*), min(created_at) FROM coordinator_events) AS waiting`,
};

const lockKey = "hashtextextended('madang events of channels', 0)";
const setCollecting = "set_config('madang.is_collecting', 'true', true)";

const tryLock: Statement<{ isLocked: boolean }> = {
  name: "events.try-lock-collection",
  text: `SELECT pg_try_advisory_xact_lock(${lockKey}) AS "isLocked", ${setCollecting}`,
};

const waitForLock: Statement<{ isLocked: boolean }> = {
  name: "events.lock-collection",
  text: `SELECT true AS "isLocked", pg_advisory_xact_lock(${lockKey}), ${setCollecting}`,
};

// Ordered by time, and within a channel by key, in case a clock was set back. Keys of one node are in the order of the effects.
// After a channel has moved to another node, later events can have lower keys.
const append: Statement<unknown> = {
  name: "events.append",
  text: `INSERT INTO events (${columns})
    SELECT ${columns} FROM (
      SELECT *, max(created_at) OVER (PARTITION BY channel_pk ORDER BY began_at, pk) AS ordered_at FROM (
        SELECT *, min(created_at) OVER (PARTITION BY channel_pk, pk >> 48) AS began_at
        FROM json_to_recordset($1::json) AS taken (channel_pk bigint, pk bigint, type text, channel_id text,
          user_pk bigint, user_id text, message_created_at bigint, message_pk bigint, detail jsonb, created_at bigint)
      ) AS of_node
    ) AS of_channel
    ORDER BY ordered_at, channel_pk, began_at, pk`,
};
