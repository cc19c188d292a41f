import { type Db, databaseNow, type Statement } from "../../../db/db";
import type { Row } from "../../../db/row";
import { addResources, defineEventRead, type PresentedRow, queryEvents } from "../../events/resources-store";
import type { AttemptOutcome } from "./receivers";
import type { DeliveryTarget } from "./target-store";

/**
 * A delivery queue (a row of `webhook_queues`) that this process has claimed until a time. `eventPk` is a part of its key: 0, or for a
 * queue of one event without a channel, that event.
 */
export interface ClaimedQueue
  extends Row<"WebhookQueue", "channelPk" | "eventPk" | "donePk" | "throughPk" | "attempt"> {
  /** By the clock of the database, like all times of deliveries. Afterwards another process may claim the queue. */
  readonly until: number;
  /** The next one. Null if it is no longer stored. */
  readonly event: PresentedRow | null;
}

interface ClaimRequest {
  readonly claimMs: number;
  readonly max: number;
  readonly target: Pick<DeliveryTarget, "pk" | "url" | "types">;
}

/**
 * Claims delivery queues whose next event is due, in the order of the due times. There are none if the webhook was disabled or got
 * another URL after its target was read.
 */
export async function claimQueues(db: Db, { claimMs, max, target }: ClaimRequest): Promise<ClaimedQueue[]> {
  const queues = await queryEvents(db, claim, [target.pk, claimMs, max, target.types, target.url]);
  const events = await addResources(
    db,
    queues.flatMap(({ event }) => event ?? []),
  );
  const byPk = new Map(events.map((event) => [event.pk, event]));
  return queues.map((queue) => ({ ...queue, event: queue.event && (byPk.get(queue.event.pk) ?? null) }));
}

interface Attempt {
  readonly eventId: string;
  readonly outcome: AttemptOutcome;
  readonly isSuccess: boolean;
}

interface Finish {
  /** Absent when there was no event to deliver. */
  readonly attempt?: Attempt;
  /** The delay before the next attempt. Absent: the queue continues with its next event. */
  readonly retryMs?: number | undefined;
}

/** Records an attempt and releases the queue, unless another process has claimed it since. */
export async function finishQueue(
  db: Db,
  webhookPk: number,
  { channelPk, eventPk, until, donePk, throughPk, event, ...queue }: ClaimedQueue,
  { attempt, retryMs }: Finish,
): Promise<void> {
  const { eventId = null, outcome } = attempt ?? {};
  if (attempt !== undefined) await db.query(recordOutcome, [webhookPk, attempt.isSuccess]);
  await db.query(finish, [
    webhookPk,
    channelPk,
    eventPk,
    until,
    donePk,
    event?.pk ?? throughPk,
    retryMs ?? null,
    eventId,
    queue.attempt + 1,
    outcome?.status ?? null,
    outcome?.durationMs ?? null,
    outcome?.error ?? null,
    attempt?.isSuccess ?? null,
  ]);
}

const claim = defineEventRead<ClaimedQueue>(
  "webhooks.claim",
  (columns) => `WITH due AS MATERIALIZED (
      SELECT channel_pk, event_pk FROM webhook_queues WHERE webhook_pk = $1 AND due_at <= ${databaseNow}
        AND EXISTS (SELECT FROM webhooks WHERE pk = $1 AND url = $5 AND is_enabled)
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE webhook_queues AS queue SET due_at = ${databaseNow} + $2::bigint, is_claimed = true FROM due
      WHERE queue.webhook_pk = $1 AND queue.channel_pk = due.channel_pk AND queue.event_pk = due.event_pk
      RETURNING queue.*
    )
    SELECT claimed.channel_pk AS "channelPk", claimed.event_pk AS "eventPk", done_pk AS "donePk",
      through_pk AS "throughPk", attempt, due_at AS until, (
        SELECT to_json(event) FROM (
          SELECT ${columns} FROM events AS found
          WHERE found.channel_pk = claimed.channel_pk AND found.pk > claimed.done_pk AND found.pk <= claimed.through_pk
            AND ($4::text[] = '{}' OR found.type = ANY ($4))
          ORDER BY found.pk LIMIT 1) AS event
      ) AS event
    FROM claimed`,
);

// A statement of its own: `webhooks.update` and `webhooks.assign` lock the webhook before its queues.
const recordOutcome: Statement<unknown> = {
  name: "webhooks.record-outcome",
  text: `UPDATE webhooks SET failing_since = CASE WHEN $2::boolean THEN NULL ELSE ${databaseNow} END
    WHERE pk = $1 AND (failing_since IS NOT NULL) = $2::boolean`,
};

// The first condition is true if a replay has moved the queue back during the attempt, or if the webhook got another URL while a
// repeated attempt failed.
const finish: Statement<unknown> = {
  name: "webhooks.finish",
  text: `WITH recorded AS (
      INSERT INTO webhook_attempts (webhook_pk, created_at, event_id, channel_pk, attempt, status, duration_ms, error)
      SELECT $1::bigint, ${databaseNow}, $8::text, $2::bigint, $9::integer, $10::integer, $11::integer, $12::text
      WHERE $8::text IS NOT NULL
    )
    MERGE INTO webhook_queues AS queue
    USING (SELECT $1::bigint AS webhook_pk, $2::bigint AS channel_pk, $3::bigint AS event_pk) AS claimed
    ON queue.webhook_pk = claimed.webhook_pk AND queue.channel_pk = claimed.channel_pk
      AND queue.event_pk = claimed.event_pk AND queue.is_claimed AND queue.due_at = $4::bigint
    WHEN MATCHED AND (queue.done_pk <> $5::bigint OR (NOT $13::boolean AND queue.attempt <> $9::integer - 1)) THEN
      UPDATE SET attempt = 0, due_at = ${databaseNow}, is_claimed = false
    WHEN MATCHED AND $7::bigint IS NOT NULL THEN
      UPDATE SET attempt = queue.attempt + 1, due_at = ${databaseNow} + $7::bigint, is_claimed = false
    WHEN MATCHED AND queue.through_pk <= $6::bigint THEN DELETE
    WHEN MATCHED THEN
      UPDATE SET done_pk = $6::bigint, attempt = 0, due_at = ${databaseNow}, is_claimed = false`,
};
