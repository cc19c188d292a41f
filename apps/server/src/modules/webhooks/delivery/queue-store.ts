import { type Db, databaseNow, type Statement } from "../../../db/db";
import type { Row } from "../../../db/row";
import type { KeyMaker } from "../../../security/secret";
import { consume } from "../../events/consumers-store";

/**
 * Assigns the next events of the feed to the queues of a webhook, and returns the last position. Undefined: another process is
 * assigning them, or the webhook is disabled. A webhook is a consumer with its id as its name, because it can be disabled, and
 * replay what the others have got.
 *
 * A delivery queue (a row of `webhook_queues`) is the range of events of one channel that are not delivered to the webhook yet. A
 * receiver that does not respond therefore costs one row for each channel, not for each event.
 */
export async function assignEvents(
  db: Db,
  { pk, webhookId }: Row<"Webhook", "pk" | "webhookId">,
): Promise<number | undefined> {
  let reached: number | undefined;
  await consume(db, webhookId, async (tx, after) => {
    const [assigned] = await tx.query(assign, [pk, after, rangesPerStep]);
    reached = assigned?.position;
    return reached;
  });
  return reached;
}

/** Removes the consumers and some queues of deleted webhooks, and returns whether there may be more queues. */
export async function sweepQueues(db: Db): Promise<boolean> {
  await db.query(removeConsumers);
  const removed = await db.query(sweep, [queuesPerStep]);
  return removed.length === queuesPerStep;
}

/** The queue length of a webhook, and since when all attempts have failed. Null: the last attempt succeeded. */
export interface WebhookQueue {
  readonly webhookId: string;
  /** Channels, and events without a channel. */
  readonly queues: number;
  readonly failingSince: number | null;
}

export function readQueues(db: Db, { masterId }: KeyMaker): Promise<WebhookQueue[]> {
  return db.query(read, [masterId]);
}

const rangesPerStep = 200;
const queuesPerStep = 1_000;

// A position in the middle of a range comes from a replay. It finds events that a queue already has. They are delivered again, or,
// if the queue waits for the next attempt of one of them, at once. It locks the webhook first, as `webhooks.update` does: they lock the
// queues in different orders, and would deadlock.
const assign: Statement<{ position: number }> = {
  name: "webhooks.assign",
  text: `WITH webhook AS MATERIALIZED (
      SELECT pk, types FROM webhooks WHERE pk = $1 AND is_enabled FOR SHARE
    ), range AS MATERIALIZED (
      SELECT range.* FROM webhook CROSS JOIN LATERAL (
        SELECT * FROM event_ranges WHERE after_position >= COALESCE((
          SELECT after_position FROM event_ranges WHERE after_position <= $2
          ORDER BY after_position DESC LIMIT 1), 0)
        ORDER BY after_position LIMIT $3) AS range
    ), found AS (
      SELECT event.*,
        range.after_position + row_number() OVER (PARTITION BY range.after_position ORDER BY event.pk) AS position
      FROM range CROSS JOIN unnest(range.transaction_ids) AS committed (id)
      CROSS JOIN LATERAL (
        SELECT channel_pk, pk, type FROM events WHERE transaction_id = committed.id OFFSET 0) AS event
    ), assigned AS (
      INSERT INTO webhook_queues AS queue (webhook_pk, channel_pk, event_pk, done_pk, through_pk, due_at)
      SELECT webhook.pk, channel_pk, CASE WHEN channel_pk = 0 THEN found.pk ELSE 0 END, min(found.pk) - 1, max(found.pk),
        ${databaseNow}
      FROM webhook, found
      WHERE found.position > $2 AND (webhook.types = '{}' OR found.type = ANY (webhook.types))
      GROUP BY 1, 2, 3
      ON CONFLICT (webhook_pk, channel_pk, event_pk) DO UPDATE SET
        done_pk = LEAST(queue.done_pk, excluded.done_pk), through_pk = GREATEST(queue.through_pk, excluded.through_pk),
        attempt = CASE WHEN excluded.done_pk < queue.through_pk THEN 0 ELSE queue.attempt END,
        due_at = CASE WHEN excluded.done_pk < queue.through_pk AND NOT queue.is_claimed THEN excluded.due_at
          ELSE queue.due_at END
    )
    SELECT GREATEST($2::bigint, (SELECT max(last_position) FROM range)) AS position FROM webhook`,
};

const sweep: Statement<unknown> = {
  name: "webhooks.sweep-queues",
  text: `DELETE FROM webhook_queues WHERE ctid IN (
      SELECT ctid FROM webhook_queues WHERE webhook_pk NOT IN (SELECT pk FROM webhooks) LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1`,
};

const removeConsumers: Statement<unknown> = {
  name: "webhooks.remove-consumers",
  text: "DELETE FROM consumers WHERE name LIKE 'wh\\_%' AND name NOT IN (SELECT webhook_id FROM webhooks)",
};

const read: Statement<WebhookQueue> = {
  name: "webhooks.read-queues",
  text: `SELECT webhook_id AS "webhookId", failing_since AS "failingSince",
      (SELECT count(*) FROM webhook_queues WHERE webhook_pk = pk) AS queues
    FROM webhooks WHERE master_id = $1 ORDER BY pk`,
};
