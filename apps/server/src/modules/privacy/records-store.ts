import { lockOne } from "../../chat/channels/lock-store";
import { everyPlace, type Queryable, type Statement } from "../../db/db";
import { lockCollection } from "../events/collect-store";
import type { Step } from "./walk-store";

/**
 * Erases the texts of reports that name the users or are about their messages, and the users in them, in the channel after the given one: a step
 * waits for the lock of no channel while it holds another. The reports in a channel on hold stay.
 */
export async function eraseReports(
  tx: Queryable,
  users: readonly number[],
  after = 0,
): Promise<Step<number>> {
  const [found] = await tx.query(findChannel, [users, after]);
  if (found?.channelPk == null) return { next: undefined };
  const { channelPk } = found;
  return whileLocked(tx, channelPk, async (isHeld) => {
    if (isHeld) return { next: channelPk, heldChannels: [channelPk] };
    const erased = await tx.query(erase, [users, channelPk, reportsPerStep]);
    return { next: erased.length === reportsPerStep ? after : channelPk };
  });
}

const reportsPerStep = 500;

/** Runs work while a channel is locked. The work gets whether it is held. */
async function whileLocked<Result>(
  tx: Queryable,
  channelPk: number,
  work: (isHeld: boolean) => Promise<Result>,
): Promise<Result> {
  for (const schema of tx.schemas()) {
    const done = await schema.transaction(async (part) => {
      const [channel] = await part.query(lockOne, [channelPk]);
      return channel && { result: await work(channel.isHeld) };
    });
    if (done !== undefined) return done.result;
  }
  return work(false);
}

const ofUsers = (column: string, condition: string) =>
  ["reported_pk", "reporter_pk", "message_sender_pk"]
    .map((user) => `SELECT ${column} FROM reports WHERE ${user} = ANY ($1::bigint[]) AND ${condition}`)
    .join(" UNION ");

const findChannel: Statement<{ channelPk: number | null }> = {
  name: "privacy.find-channel-of-reports",
  text: `SELECT min(channel_pk) AS "channelPk" FROM (${ofUsers("channel_pk", "channel_pk > $2")}) AS found`,
};

/** The column, or null if it names one of the users. */
const unlessErased = (column: string, userPk: string) =>
  `${column} = CASE WHEN ${userPk} = ANY ($1::bigint[]) THEN NULL ELSE ${column} END`;

const erase: Statement<unknown> = {
  name: "privacy.erase-reports",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL,
      ${unlessErased("reported_user_id", "reported_pk")}, ${unlessErased("reporter_user_id", "reporter_pk")},
      ${unlessErased("reported_pk", "reported_pk")}, ${unlessErased("reporter_pk", "reporter_pk")},
      ${unlessErased("message_sender_pk", "message_sender_pk")}
    WHERE pk IN (SELECT pk FROM (${ofUsers("pk", "channel_pk = $2")}) AS found LIMIT $3) RETURNING 1`,
};

/** The last idempotency key that was searched, and the index of its node. */
export interface ResultCursor {
  readonly part: number;
  readonly caller: string;
  readonly key: string;
}

const resultsPerStep = 1_000;

/** Removes the stored results that contain one of the users or an erased report, from one page of the idempotency keys. */
export async function eraseResults(
  tx: Queryable,
  { userId, createdAt }: { readonly userId: string; readonly createdAt: readonly number[] },
  { part, caller, key }: ResultCursor = { part: 0, caller: "", key: "" },
): Promise<Step<ResultCursor>> {
  const place = everyPlace(tx)[part];
  if (place === undefined) return { next: undefined };
  // The reports and the results that have them are on the coordinator, which comes first.
  const remove = part === 0 ? removeResults : removeResultsOfSchema;
  const [last] = await place.query(remove, [caller, key, resultsPerStep, userId, createdAt]);
  return { next: last === undefined ? { part: part + 1, caller: "", key: "" } : { part, ...last } };
}

/**
 * Whether a transaction of a server that began before this time is still running. Transactions have a time limit. On Citus, servers may
 * also be connected to the workers.
 */
export async function hasEarlierRequests(db: Queryable, before: number): Promise<boolean> {
  for (const place of everyPlace(db)) if ((await place.query(findEarlier, [before])).length > 0) return true;
  return false;
}

const findEarlier: Statement<unknown> = {
  name: "privacy.find-earlier",
  text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'madang'
    AND pid <> pg_backend_pid() AND xact_start < to_timestamp(($1::bigint + 1) / 1000.0) LIMIT 1`,
};

// A result with the data of a user has its id and the time of its creation, which tell it from later users with the id. A report
// that is erased, or gone with its channel, may quote a message or name a user.
const remove = (isOfReport: string) => `WITH page AS MATERIALIZED (
      SELECT caller, key, result FROM idempotency_keys WHERE (caller, key) > ($1, $2) ORDER BY caller, key LIMIT $3
    ), erased AS (
      DELETE FROM idempotency_keys stored USING page
      WHERE stored.caller = page.caller AND stored.key = page.key AND (
        (strpos(page.result::text, '"' || $4::text || '"') > 0 AND jsonb_path_exists(page.result::jsonb,
          '$.** ? (@.userId == $id && @.createdAt == $created[*])',
          jsonb_build_object('id', $4::text, 'created', $5::bigint[])))
        OR ${isOfReport})
    )
    SELECT caller, key FROM page ORDER BY caller DESC, key DESC LIMIT 1`;

type LastKey = Pick<ResultCursor, "caller" | "key">;
const removeResults: Statement<LastKey> = {
  name: "privacy.remove-results",
  text: remove(`(page.result->0->>'reportId' IS NOT NULL AND NOT EXISTS (
          SELECT FROM reports WHERE report_id = page.result->0->>'reportId' AND reason <> 'Erased'))`),
};
const removeResultsOfSchema: Statement<LastKey> = {
  name: "privacy.remove-results-of-schema",
  text: remove("false"),
};

const eventsPerStep = 5_000;

/** The last event that was searched: the index of its node, and its key. */
export interface EventCursor {
  readonly part: number;
  readonly after: readonly [channelPk: number, pk: number];
}

/** Removes what the events of the users say from one page of the events: reactions, and until when a user was muted or banned. */
export async function eraseDetails(
  tx: Queryable,
  users: readonly number[],
  { part: partIndex, after }: EventCursor = { part: 0, after: [0, 0] },
): Promise<Step<EventCursor>> {
  // The coordinator comes last, because events move from the schemas to it.
  const part = everyPlace(tx).toReversed()[partIndex];
  if (part === undefined) return { next: undefined };
  // What another process is moving was read before it was erased.
  if (tx.isDistributed && part === tx) await lockCollection(tx);
  const [last] = await part.query(eraseEvents, [...after, eventsPerStep, users]);
  const next =
    last === undefined
      ? { part: partIndex + 1, after: [0, 0] as const }
      : { part: partIndex, after: [last.channelPk, last.pk] as const };
  return { next };
}

const eraseEvents: Statement<{ channelPk: number; pk: number }> = {
  name: "privacy.erase-events",
  text: `WITH page AS MATERIALIZED (
      SELECT channel_pk, pk, user_pk = ANY ($4::bigint[]) AND detail IS NOT NULL AS is_of
      FROM events WHERE (channel_pk, pk) > ($1::bigint, $2::bigint) ORDER BY channel_pk, pk LIMIT $3
    ), erased AS (
      UPDATE events e SET detail = NULL FROM page
      WHERE is_of AND e.channel_pk = page.channel_pk AND e.pk = page.pk
    )
    SELECT channel_pk AS "channelPk", pk FROM page ORDER BY channel_pk DESC, pk DESC LIMIT 1`,
};
