import { type Db, databaseNow, type Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { fillPage, jsonBytes, maxPageBytes, readPage } from "../../paging/page-bytes";
import { addResources, defineEventRead, type PresentedRow, queryEvents } from "./resources-store";

/** A position in the feed: after the event with this position. */
export interface FeedPosition {
  readonly position: number;
  /** The nonce of the range of that event. After a restore, the position can belong to another event, with another nonce. */
  readonly nonce: number;
}

export type EventRow = PresentedRow & FeedPosition;

export interface EventQuery {
  readonly types?: readonly string[] | undefined;
  readonly channelId?: string | undefined;
  /** Only the events of this user and of these channels. */
  readonly user?: { readonly userPk: number; readonly channelPks: readonly number[] } | undefined;
  readonly after: number;
  readonly count: number;
  /** The number of bytes after which no further event is read. */
  readonly maxBytes?: number;
}

export interface FoundEvents {
  readonly events: readonly EventRow[];
  /** The position up to which events were read. */
  readonly end: FeedPosition;
  /** The nonce of the position after which was read, as it is stored now. Null: its event has expired. */
  readonly afterNonce: number | null;
}

/** Where an event is stored, with its time: after a restore, another event can have the same key. */
export interface EventKey {
  /** 0 for an event that belongs to no channel. */
  readonly channelPk: number;
  readonly eventId: string;
}

export function formatEventId({ createdAt, pk }: { createdAt: number; pk: number }): string {
  return `evt_${createdAt}_${pk}`;
}

/** The values that find an event in statements. */
function eventKeyOf({ channelPk, eventId }: EventKey): [number, number, number] {
  const [, createdAt, pk] = eventId.split("_");
  return [channelPk, Number(pk), Number(createdAt)];
}

/** The number of events that one statement reads with filters, and the minimum without filters. */
const eventsPerScan = 2_000;
const minEventsPerScan = 100;

/** Events after a position, oldest first. Rejects a position whose next event is no longer stored. */
export async function readEvents(
  db: Db,
  { after, count, types, channelId, user, maxBytes = maxPageBytes }: EventQuery,
): Promise<FoundEvents> {
  const isFiltered = types !== undefined || channelId !== undefined || user !== undefined;
  const scanned = isFiltered ? eventsPerScan : Math.max(count, minEventsPerScan);
  const values = [after, scanned, count, types ?? null, channelId ?? null, maxBytes];
  const rows = await (user === undefined
    ? queryEvents(db, read, values)
    : queryEvents(db, readOfUser, [...values, user.userPk, user.channelPks]));
  const [first] = rows;
  if (first === undefined) throw expired();
  const complete = await addResources(db, itemsOf(rows, "position"));
  const page = fillPage(complete, count, jsonBytes, maxBytes);
  const events = complete.slice(0, page.count);
  const last = events.at(-1);
  const end =
    page.isFull && last !== undefined ? last : { position: first.endPosition, nonce: first.endNonce };
  return { events, end: { position: end.position, nonce: end.nonce }, afterNonce: first.afterNonce };
}

export async function findLatest(db: Db): Promise<FeedPosition> {
  const [latest] = await db.query(findRange, [Number.MAX_SAFE_INTEGER]);
  if (latest === undefined) throw new Error("The table of event ranges is empty.");
  return { position: latest.lastPosition, nonce: latest.nonce };
}

/** The position before the oldest stored event. */
export async function findOldest(db: Db): Promise<FeedPosition> {
  const [oldest] = await db.query(findBeginning);
  return { position: Math.max(0, oldest?.position ?? 0), nonce: oldest?.nonce ?? 0 };
}

/** The position before an event that has one. Throws if the event has expired. */
export async function findPositionBefore(db: Db, event: EventKey): Promise<FeedPosition> {
  const [before] = await db.query(findBefore, eventKeyOf(event));
  if (before === undefined) throw expired();
  return before;
}

/** Whether the position belongs to the same event as when the cursor was created. Throws if that event has expired. */
export async function isSameFeed(db: Db, { position, nonce }: FeedPosition): Promise<boolean> {
  const [range] = await db.query(findRange, [position]);
  if (range === undefined) throw expired();
  return range.nonce === nonce && position <= range.lastPosition;
}

const rangesPerStep = 100;

/** Removes some of the events that were numbered longer ago than this, and returns whether there may be more of them. */
export async function sweepExpiredEvents(db: Db, retentionMs: number): Promise<boolean> {
  const removed = await db.query(sweep, [retentionMs, rangesPerStep]);
  return removed.length === rangesPerStep;
}

const expired = () =>
  new ServiceError(
    "events_expired",
    "Events after this cursor are no longer stored. Keep next of GET /v1/events?after=latest, read the current state, then continue from that cursor.",
  );

type End = { readonly endPosition: number; readonly endNonce: number; readonly afterNonce: number | null };

// A range is read as a whole: the position of an event is its rank in it. OFFSET makes PostgreSQL look for each
// transaction by itself. No row: the range with the first event is no longer stored. The oldest ranges are removed
// first, so if it is stored, all later ones are too.
const defineRead = (name: string, condition: string) =>
  defineEventRead<Joined<EventRow, "position", End>>(
    name,
    (columns, size) => `WITH bounds AS MATERIALIZED (
      SELECT LEAST($1::bigint + $2::bigint, (
          SELECT last_position FROM event_ranges ORDER BY after_position DESC LIMIT 1)) AS end_position,
        (SELECT after_position FROM event_ranges WHERE after_position <= $1
          ORDER BY after_position DESC LIMIT 1) AS first_range
    ), found AS MATERIALIZED ${readPage(
      `SELECT * FROM (
        SELECT range.nonce, event.*,
          range.after_position + row_number() OVER (PARTITION BY range.after_position ORDER BY event.pk) AS position
        FROM bounds CROSS JOIN LATERAL (
          SELECT * FROM event_ranges WHERE after_position >= first_range AND after_position < end_position OFFSET 0) AS range
        CROSS JOIN unnest(range.transaction_ids) AS committed (id)
        CROSS JOIN LATERAL (SELECT * FROM events WHERE transaction_id = committed.id OFFSET 0) AS event
      ) AS numbered
      WHERE position > $1 AND position <= (SELECT end_position FROM bounds)
        AND ($4::text[] IS NULL OR type = ANY ($4)) AND ($5::text IS NULL OR channel_id = $5) AND ${condition}
      ORDER BY position LIMIT $3`,
      "position",
      size,
      "$6",
    )}
    SELECT end_position AS "endPosition", (
        SELECT nonce FROM event_ranges WHERE after_position < end_position ORDER BY after_position DESC LIMIT 1
      ) AS "endNonce", (
        SELECT nonce FROM event_ranges WHERE after_position < $1 ORDER BY after_position DESC LIMIT 1
      ) AS "afterNonce",
      position, nonce, ${columns}
    FROM bounds LEFT JOIN found ON true WHERE first_range IS NOT NULL ORDER BY position`,
  );

const read = defineRead("events.read", "true");

/** More than the user may see: which of them, `UserChannels` decides. */
const readOfUser = defineRead(
  "events.read-of-user",
  `(user_pk = $7::bigint OR channel_pk = ANY ($8::bigint[])
        OR (type = 'channel.deleted' AND detail->'members' @> to_jsonb($7::bigint)))`,
);

const findBeginning: Statement<FeedPosition> = {
  name: "events.find-beginning",
  text: "SELECT after_position AS position, nonce FROM event_ranges ORDER BY after_position LIMIT 1",
};

const findRange: Statement<{ nonce: number; lastPosition: number }> = {
  name: "events.find-range",
  text: `SELECT nonce, last_position AS "lastPosition" FROM event_ranges WHERE after_position < $1
    ORDER BY after_position DESC LIMIT 1`,
};

// The range of an event is among the first whose snapshot is later than its transaction, which may have run in some of them.
const findBefore: Statement<FeedPosition> = {
  name: "events.find-before",
  text: `SELECT position, COALESCE((
        SELECT nonce FROM event_ranges WHERE after_position < position ORDER BY after_position DESC LIMIT 1), nonce) AS nonce
    FROM (
      SELECT range.nonce, range.after_position + (
        SELECT count(*) FROM unnest(range.transaction_ids) AS committed (id)
        CROSS JOIN LATERAL (SELECT pk FROM events WHERE transaction_id = committed.id OFFSET 0) AS event
        WHERE event.pk < found.pk) AS position
      FROM events AS found CROSS JOIN LATERAL (
        SELECT * FROM event_ranges
        WHERE next_transaction_id > found.transaction_id AND found.transaction_id = ANY (transaction_ids)
        ORDER BY next_transaction_id LIMIT 1) AS range
      WHERE found.channel_pk = $1 AND found.pk = $2 AND found.created_at = $3
    ) AS before`,
};

// Oldest first, and by one process at a time, so that there is never a gap. The newest range is kept: the next
// continues it. So is what a consumer has not read, and the range at which the search index is, which has a snapshot. Webhooks do not
// count, because a disabled one reads nothing, nor does push, which skips old messages, nor do builds of the search index, whose
// positions are those of channels.
const sweep: Statement<unknown> = {
  name: "events.sweep",
  text: `WITH old AS (
      SELECT after_position, transaction_ids FROM event_ranges
      WHERE created_at < ${databaseNow} - $1 AND after_position < (SELECT max(after_position) FROM event_ranges)
        AND last_position < (
          SELECT min(position) FROM consumers
          WHERE name NOT LIKE 'wh\\_%' AND name NOT LIKE 'search build %' AND name <> 'push')
      ORDER BY after_position LIMIT $2 FOR UPDATE
    ), removed AS (
      DELETE FROM events USING old CROSS JOIN unnest(transaction_ids) AS committed (id) WHERE transaction_id = committed.id
    )
    DELETE FROM event_ranges USING old WHERE event_ranges.after_position = old.after_position RETURNING 1`,
};
