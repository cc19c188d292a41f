import type { PushProvider } from "@madang/contract";
import { type Db, databaseNow, type Statement } from "../../../db/db";
import { columnsOf, type Row } from "../../../db/row";
import { consume, eventsOfBatch } from "../../events/consumers-store";
import type { PushOutcome } from "../providers/outcome";
import { type EventMessage, findRecipients, type PushedMessage, type Recipient } from "./messages-store";
import type { DueService } from "./service-limits";

/** A message that this process has claimed to push to a device, until a time by the clock of the database. */
export interface ClaimedPush
  extends Row<
      "PushEntry",
      "devicePk" | "channelPk" | "channelId" | "userPk" | "service" | "attempt" | "createdAt"
    >,
    Row<"Device", "sealed" | "digest">,
    Pick<PushedMessage, "pk"> {
  readonly messageCreatedAt: number;
  readonly userId: string;
  readonly until: number;
}

const rangesPerStep = 20;
const messagesPerStatement = 200;
/** A message that is older is not pushed. */
const maxAgeMs = 3_600_000;
/** What has waited for so long is replaced by a newer message of its channel. */
const replaceableAfterMs = 60_000;

interface EnqueueOptions {
  readonly providers: readonly PushProvider[];
  readonly delayMs: number;
}

/**
 * Reads the next events that are old enough, and stores for each device which messages it shall get. The delay lets a person who is
 * reading mark the message as read. Nothing is stored for messages that nobody shall get. Returns whether there may be more.
 */
export async function enqueuePushes(db: Db, { providers, delayMs }: EnqueueOptions): Promise<boolean> {
  let isFull = false;
  await consume(db, "push", async (tx, after) => {
    const [batch] = await tx.query(findBatch, [after, rangesPerStep, delayMs, providers]);
    if (batch === undefined || batch.through === null) return undefined;
    isFull = batch.ranges === rangesPerStep;
    if (!batch.hasDevices) return batch.through;
    const list = tx.isDistributed ? listMessages : listWithDevices;
    const messages = await tx.query(list, [after, batch.through, maxAgeMs]);
    for (let start = 0; start < messages.length; start += messagesPerStatement) {
      const some = messages.slice(start, start + messagesPerStatement);
      const bySchema = Map.groupBy(some, ({ channelId }) => tx.channel(channelId));
      for (const [schema, ofSchema] of bySchema) {
        const recipients = await findRecipients(schema, ofSchema, tx);
        if (recipients.length > 0)
          await tx.query(insert, [...keysOf(recipients), providers, replaceableAfterMs]);
      }
    }
    return batch.through;
  });
  return isFull;
}

const keysOf = (recipients: readonly Recipient[]) =>
  columnsOf(recipients, "channelPk", "createdAt", "pk", "channelId", "userPk");

/** The services for which a push of a user who is not busy can be claimed. */
export const listDueServices = (db: Db, busyUserPks: readonly number[]): Promise<DueService[]> =>
  db.query(listDue, [busyUserPks]);

interface ClaimOptions {
  readonly busyUserPks: readonly number[];
  /** How many pushes of a user are claimed together at most. */
  readonly perUser: number;
  readonly claimMs: number;
}

/**
 * Claims pushes that are due, up to a number for each service, of users who are not busy. A device gets the messages of a channel one
 * after the other.
 */
export function claimPushes(
  db: Db,
  limits: ReadonlyMap<string, number>,
  { busyUserPks, perUser, claimMs }: ClaimOptions,
): Promise<ClaimedPush[]> {
  return db.query(claim, [[...limits.keys()], [...limits.values()], claimMs, busyUserPks, perUser]);
}

/** Whether a claimed push is still to be sent: the claim exists, and the device has the same token or endpoint. */
export async function isStillClaimed(db: Db, push: ClaimedPush): Promise<boolean> {
  return (await db.query(findClaim, [...keyOf(push), push.digest])).length > 0;
}

/**
 * Records how an attempt ended. One that failed is repeated after `retryMs`, for up to an hour. Unless it was accepted, a device that has
 * registered again meanwhile gets it at its new token or endpoint.
 */
export async function finishPush(
  db: Db,
  push: ClaimedPush,
  outcome: PushOutcome | undefined,
  retryMs?: number,
): Promise<void> {
  if (outcome?.result === "failed" && retryMs !== undefined) {
    const kept = await db.query(repeat, [...keyOf(push), retryMs, maxAgeMs]);
    if (kept.length === 0) await db.query(removeEntry, keyOf(push));
  } else {
    const isSent = outcome?.result === "accepted";
    const moved = isSent ? [] : await db.query(release, [...keyOf(push), push.digest]);
    if (moved.length === 0) await db.query(removeEntry, keyOf(push));
  }
  if (outcome !== undefined) await recordPush(db, { ...push, pk: push.devicePk }, outcome);
}

/** Shows the outcome at the device. One that its push service does not know any more is removed, with what waits for it. */
export async function recordPush(
  db: Db,
  { pk, digest }: Row<"Device", "pk" | "digest">,
  { status, error, result }: PushOutcome,
): Promise<void> {
  if (result === "unwanted") return;
  if (result === "gone") await db.query(removeDevice, [pk, digest]);
  else await db.query(record, [pk, digest, status, error]);
}

/** Removes pushes that are never sent, for example because their provider is no longer set up, and the state of services without devices. */
export async function sweepPushes(db: Db): Promise<boolean> {
  const removed = await db.query(sweep, [2 * maxAgeMs, rowsPerStep]);
  const forgotten = await db.query(sweepServices, [rowsPerStep]);
  return removed.length === rowsPerStep || forgotten.length === rowsPerStep;
}

/** What waits to be pushed. */
export interface PushQueue {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export async function measurePushes(db: Db): Promise<PushQueue> {
  const [measured = { waiting: 0, oldestSeconds: 0 }] = await db.query(measure);
  return measured;
}

const rowsPerStep = 1_000;

const keyOf = ({ devicePk, channelPk, messageCreatedAt, pk, until }: ClaimedPush) => [
  devicePk,
  channelPk,
  messageCreatedAt,
  pk,
  until,
];

// Ranges are made soon after the commits of their events, so their age is that of the events.
const findBatch: Statement<{
  readonly through: number | null;
  readonly ranges: number;
  readonly hasDevices: boolean;
}> = {
  name: "push.find-batch",
  text: `SELECT max(last_position) AS through, count(*) AS ranges,
      EXISTS (SELECT FROM devices WHERE provider = ANY ($4::text[])) AS "hasDevices"
    FROM (
      SELECT last_position, created_at FROM event_ranges WHERE after_position >= $1 ORDER BY after_position LIMIT $2
    ) AS range WHERE created_at <= ${databaseNow} - $3::bigint`,
};

// A message that is written by appends is pushed with the event of its end.
const messagesOfBatch = `SELECT channel_pk, channel_id, message_created_at, message_pk, event.type = 'message.updated' AS is_end
    FROM (
      SELECT event.* FROM ${eventsOfBatch}
        AND (event.type = 'message.created' OR (event.type = 'message.updated' AND event.detail->'ended' IS NOT NULL))
    ) AS event WHERE event.created_at > ${databaseNow} - $3::bigint`;

/** In a schema of Citus, participants are on another node. */
const listMessages: Statement<EventMessage> = {
  name: "push.list-messages",
  text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", message_created_at AS "createdAt", message_pk AS pk,
      is_end AS "isEnd"
    FROM (${messagesOfBatch}) AS message ORDER BY channel_pk, message_pk`,
};

/** Only messages of channels in which somebody has a device. HAVING checks each channel once. */
const listWithDevices: Statement<EventMessage> = {
  name: "push.list-messages-with-devices",
  text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", unnest(times) AS "createdAt", unnest(pks) AS pk,
      unnest(ends) AS "isEnd"
    FROM (
      SELECT channel_pk, channel_id, array_agg(message_created_at) AS times, array_agg(message_pk) AS pks, array_agg(is_end) AS ends
      FROM (${messagesOfBatch}) AS message GROUP BY channel_pk, channel_id
      HAVING EXISTS (SELECT FROM members e WHERE e.channel_pk = message.channel_pk
        AND EXISTS (SELECT FROM devices device WHERE device.user_pk = e.user_pk OFFSET 0) OFFSET 0)
    ) AS channel ORDER BY channel_pk, pk`,
};

// The lock makes a registration that takes over or removes a device wait.
const insert: Statement<unknown> = {
  name: "push.insert",
  text: `WITH found AS MATERIALIZED (
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
        AS recipient (channel_pk, message_created_at, message_pk, channel_id, user_pk)
    ), wanted AS MATERIALIZED (
      SELECT device.pk AS device_pk, device.service, found.* FROM found JOIN devices device USING (user_pk)
      WHERE device.provider = ANY ($6::text[]) ORDER BY device.pk FOR KEY SHARE OF device
    ), replaced AS (
      DELETE FROM push_entries entry USING (
        SELECT device_pk, channel_pk, max(message_pk) AS message_pk FROM wanted GROUP BY device_pk, channel_pk) AS newest
      WHERE entry.device_pk = newest.device_pk AND entry.channel_pk = newest.channel_pk
        AND NOT is_claimed AND entry.created_at < ${databaseNow} - $7::bigint
    )
    INSERT INTO push_entries (device_pk, channel_pk, message_created_at, message_pk, channel_id, user_pk, service,
      created_at, due_at)
    SELECT device_pk, channel_pk, message_created_at, message_pk, channel_id, user_pk, service, ${databaseNow}, ${databaseNow}
    FROM wanted ON CONFLICT DO NOTHING`,
};

/** Whether a push is due, its user is not busy, and no earlier one of its device and channel waits, which would be sent first. */
const isClaimable = (busyUserPks: string) => `entry.due_at <= ${databaseNow}
        AND entry.user_pk <> ALL (${busyUserPks}::bigint[]) AND NOT EXISTS (
          SELECT FROM push_entries earlier
          WHERE earlier.device_pk = entry.device_pk AND earlier.channel_pk = entry.channel_pk
            AND (earlier.message_created_at, earlier.message_pk) < (entry.message_created_at, entry.message_pk))`;

// There may be many entries of few services: the next service is looked up in the index.
const listDue: Statement<DueService> = {
  name: "push.list-due-services",
  text: `WITH RECURSIVE each_one AS (
      (SELECT service FROM push_entries ORDER BY service LIMIT 1)
      UNION ALL
      SELECT (SELECT entry.service FROM push_entries entry WHERE entry.service > each_one.service
        ORDER BY entry.service LIMIT 1) FROM each_one WHERE each_one.service IS NOT NULL
    )
    SELECT service, EXISTS (SELECT FROM push_services failing WHERE failing.service = each_one.service) AS "isFailing"
    FROM each_one WHERE service IS NOT NULL AND EXISTS (
      SELECT FROM push_entries entry WHERE entry.service = each_one.service AND ${isClaimable("$1")} OFFSET 0)`,
};

const isSame = (one: string, other: string) => `${one}.device_pk = ${other}.device_pk
        AND ${one}.channel_pk = ${other}.channel_pk AND ${one}.message_created_at = ${other}.message_created_at
        AND ${one}.message_pk = ${other}.message_pk`;

const claim: Statement<ClaimedPush> = {
  name: "push.claim",
  text: `WITH due AS MATERIALIZED (
      SELECT found.* FROM unnest($1::text[], $2::integer[]) AS each_one (name, max)
      CROSS JOIN LATERAL (
        SELECT device_pk, channel_pk, message_created_at, message_pk, user_pk, due_at FROM push_entries entry
        WHERE service = each_one.name AND ${isClaimable("$4")}
        ORDER BY due_at LIMIT each_one.max FOR UPDATE OF entry SKIP LOCKED) AS found
    ), numbered AS (
      SELECT *, row_number() OVER (PARTITION BY user_pk ORDER BY due_at) AS number FROM due
    ), claimed AS (
      UPDATE push_entries entry SET due_at = ${databaseNow} + $3::bigint, is_claimed = true FROM numbered
      WHERE ${isSame("entry", "numbered")} AND number <= $5 RETURNING entry.*
    )
    SELECT device_pk AS "devicePk", channel_pk AS "channelPk", message_created_at AS "messageCreatedAt",
      message_pk AS pk, channel_id AS "channelId", claimed.user_pk AS "userPk", claimed.service, attempt, due_at AS until,
      claimed.created_at AS "createdAt", sealed, digest, u.user_id AS "userId"
    FROM claimed JOIN devices device ON device.pk = device_pk JOIN users u ON u.pk = claimed.user_pk`,
};

const key = `device_pk = $1 AND channel_pk = $2 AND message_created_at = $3 AND message_pk = $4
      AND is_claimed AND due_at = $5`;

const findClaim: Statement<unknown> = {
  name: "push.find-claim",
  text: `SELECT 1 FROM push_entries JOIN devices device ON device.pk = device_pk AND digest = $6 WHERE ${key}`,
};

const removeEntry: Statement<unknown> = {
  name: "push.remove",
  text: `DELETE FROM push_entries WHERE ${key} RETURNING 1`,
};

const release: Statement<unknown> = {
  name: "push.release",
  text: `UPDATE push_entries SET due_at = ${databaseNow}, is_claimed = false FROM devices device
    WHERE device.pk = device_pk AND digest <> $6 AND ${key} RETURNING 1`,
};

const repeat: Statement<unknown> = {
  name: "push.repeat",
  text: `UPDATE push_entries SET attempt = attempt + 1, due_at = ${databaseNow} + $6::bigint, is_claimed = false
    WHERE ${key} AND created_at > ${databaseNow} + $6::bigint - $7::bigint RETURNING 1`,
};

const record: Statement<unknown> = {
  name: "push.record",
  text: `UPDATE devices SET last_push_at = ${databaseNow}, last_push_status = $3, last_push_error = $4
    WHERE pk = $1 AND digest = $2 RETURNING 1`,
};

const removeDevice: Statement<unknown> = {
  name: "push.remove-device",
  text: "DELETE FROM devices WHERE pk = $1 AND digest = $2 RETURNING 1",
};

const sweep: Statement<unknown> = {
  name: "push.sweep",
  text: `WITH old AS MATERIALIZED (
      SELECT device_pk, channel_pk, message_created_at, message_pk FROM push_entries
      WHERE created_at < ${databaseNow} - $1::bigint LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM push_entries entry USING old WHERE ${isSame("entry", "old")} RETURNING 1`,
};

const sweepServices: Statement<unknown> = {
  name: "push.sweep-services",
  text: `DELETE FROM push_services WHERE service IN (
      SELECT service FROM push_services state
      WHERE NOT EXISTS (SELECT FROM devices device WHERE device.service = state.service) LIMIT $1)
    RETURNING 1`,
};

const measure: Statement<PushQueue> = {
  name: "push.measure",
  text: `SELECT count(*) AS waiting, COALESCE(GREATEST(0,
      extract(epoch FROM clock_timestamp()) - min(created_at) / 1000.0), 0)::float8 AS "oldestSeconds" FROM push_entries`,
};
