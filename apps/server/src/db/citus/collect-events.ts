import type { Db, Statement, Tx } from "../db";
import type { Row } from "../row";

/** Events that have no position yet. */
export interface Queue {
  readonly queue: number;
  /** The age of the oldest. */
  readonly lagSeconds: number;
}

const eventsPerStep = 2_000;

/**
 * Moves the events of channels from the schemas of Citus to the feed, the table `events` of the coordinator, which gives them the
 * keys by which they are numbered. Does nothing on one PostgreSQL, where a change writes its event to the feed itself. The events
 * without a channel wait on the coordinator, so that all are in the order of their times.
 *
 * No transaction contains both. So a step copies events to the feed and stores their keys, in one transaction of the coordinator; a
 * later step removes the events with these keys from the schemas. If a process is killed, the next step finds what it left. One process at
 * a time does it, under a lock that ends with the transaction, so the events of a channel keep their order.
 *
 * Returns false if another process has the lock. With `waitsForLock`, it waits and moves what is left.
 */
export async function collectEvents(db: Db, { waitsForLock }: { waitsForLock: boolean }): Promise<boolean> {
  if (!db.isDistributed) return true;
  for (;;) {
    const found = await db.transaction((tx) => moveStep(tx, waitsForLock));
    if (found === undefined) return false;
    if (found < eventsPerStep) return true;
  }
}

/** Waits until no process moves events, and lets none do so until the transaction ends. On one PostgreSQL, none ever does. */
export async function lockCollection(tx: Tx): Promise<void> {
  if (tx.isDistributed) await tx.query(waitForLock);
}

/** How many events are not collected yet, and the age of the oldest of them. */
export async function measureUncollected(db: Db): Promise<Queue> {
  if (!db.isDistributed) return { queue: 0, lagSeconds: 0 };
  const moved = await listMoved(db);
  const measured = await Promise.all(
    db.schemas().map((schema, index) => schema.query(measure, keysOf(moved.get(index)))),
  );
  const queues = [...measured.flat(), ...(await db.query(measureHeld))];
  return {
    queue: queues.reduce((sum, { queue }) => sum + queue, 0),
    lagSeconds: Math.max(...queues.map(({ lagSeconds }) => lagSeconds)),
  };
}

/** Returns the number of events in the schema that had more. */
async function moveStep(tx: Tx, waitsForLock: boolean): Promise<number | undefined> {
  const [lock] = await tx.query(waitsForLock ? waitForLock : tryLock);
  if (lock?.isLocked !== true) return undefined;
  const moved = await listMoved(tx);
  const pages = await Promise.all(
    tx.schemas().map(async (schema, index) => {
      const ofSchema = moved.get(index) ?? [];
      const old = ofSchema.filter(({ isOld }) => isOld);
      if (old.length > 0) await schema.query(remove, keysOf(old));
      return schema.query(read, [...keysOf(ofSchema), eventsPerStep]);
    }),
  );
  const events = [...pages.flat(), ...(await tx.query(takeHeld))];
  if (events.length > 0) await tx.query(append, [JSON.stringify(events)]);
  const removed = [...moved.values()].flat().filter(({ isOld }) => isOld);
  if (removed.length > 0) await tx.query(forgetMoved, [removed.map(({ pk }) => pk)]);
  for (const [index, page] of pages.entries())
    if (page.length > 0) await tx.query(addMoved, [index, ...keysOf([toKeys(page)])]);
  return Math.max(...pages.map(({ length }) => length));
}

/** The keys of events of a schema that are in the feed already. */
interface Moved {
  readonly channelPks: readonly number[];
  readonly pks: readonly number[];
}

const listMoved = async (db: Db) => Map.groupBy(await db.query(findMoved), ({ index }) => index);

const keysOf = (moved: readonly Moved[] = []) => [
  moved.flatMap(({ channelPks }) => channelPks),
  moved.flatMap(({ pks }) => pks),
];

const toKeys = (events: readonly Collected[]): Moved => ({
  channelPks: events.map((event) => event.channel_pk),
  pks: events.map(({ pk }) => pk),
});

interface Collected {
  readonly channel_pk: number;
  readonly pk: number;
}

// A backup of the nodes has a restore point that they reach within milliseconds of each other. What a worker has removed before it must
// be in the feed at the coordinator.
const findMoved: Statement<Moved & { pk: number; index: number; isOld: boolean }> = {
  name: "events.find-moved",
  text: `SELECT pk, schema_index AS index, to_json(channel_pks) AS "channelPks", to_json(pks) AS pks,
      moved_at < clock_timestamp() - interval '1 second' AS "isOld"
    FROM moved_events ORDER BY pk`,
};

const forgetMoved: Statement<unknown> = {
  name: "events.forget-moved",
  text: "DELETE FROM moved_events WHERE pk = ANY ($1::bigint[])",
};

const addMoved: Statement<unknown> = {
  name: "events.add-moved",
  text: "INSERT INTO moved_events (schema_index, channel_pks, pks) VALUES ($1, $2::bigint[], $3::bigint[])",
};

const columns =
  "channel_pk, type, channel_id, user_pk, user_id, message_created_at, message_pk, detail, created_at";
const moved = "unnest($1::bigint[], $2::bigint[]) AS moved (channel_pk, pk)";

const remove: Statement<unknown> = {
  name: "events.remove-moved",
  text: `DELETE FROM events USING ${moved} WHERE events.channel_pk = moved.channel_pk AND events.pk = moved.pk`,
};

// All visible events of a channel, unless there are more than a step takes: then those that were written first.
const read: Statement<Collected> = {
  name: "events.read-waiting",
  text: `SELECT pk, ${columns} FROM events
    WHERE NOT EXISTS (SELECT FROM ${moved} WHERE moved.channel_pk = events.channel_pk AND moved.pk = events.pk)
    ORDER BY created_at, pk LIMIT $3`,
};

const takeHeld: Statement<Row<"Event", "pk">> = {
  name: "events.take-held",
  text: `DELETE FROM channel_tables.events RETURNING pk, ${columns}`,
};

const measureOf = (events: string) => `SELECT count(*)::float8 AS queue, COALESCE(GREATEST(0,
    extract(epoch FROM clock_timestamp()) - min(created_at) / 1000.0), 0)::float8 AS "lagSeconds" FROM ${events}`;

const measure: Statement<Queue> = {
  name: "events.measure-waiting",
  text: measureOf(
    `events WHERE NOT EXISTS (SELECT FROM ${moved} WHERE moved.channel_pk = events.channel_pk AND moved.pk = events.pk)`,
  ),
};

const measureHeld: Statement<Queue> = {
  name: "events.measure-held",
  text: measureOf("channel_tables.events"),
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
