import { emit } from "../../../chat/emit";
import { type Db, databaseNow, type Statement } from "../../../db/db";
import type { Row } from "../../../db/row";
import type { KeyMaker } from "../../../security/secret";

/** The receiver and the sealed secrets of a webhook, as text. */
export interface Target extends Row<"Webhook", "url" | "previousSecretUntil"> {
  readonly sealed: string;
  readonly previousSealed: string | null;
}

export const targetColumns = `url, encode(secret, 'base64') AS sealed,
  encode(previous_secret, 'base64') AS "previousSealed", previous_secret_until AS "previousSecretUntil"`;

/** An enabled webhook, as its deliveries need it. */
export interface DeliveryTarget extends Target, Row<"Webhook", "pk" | "webhookId" | "types"> {
  /** The events up to this position of the feed are assigned to its delivery queues. */
  readonly position: number;
  /** Whether there are events after its position. */
  readonly isBehind: boolean;
  /** Whether an attempt is due. */
  readonly isDue: boolean;
}

/** Reads all webhooks at once, so that webhooks without new events need no further statement. */
export function listTargets(db: Db, { masterId }: KeyMaker): Promise<DeliveryTarget[]> {
  return db.query(list, [masterId]);
}

/**
 * Disables a webhook whose receiver responded with 410, or whose attempts all failed for this long, unless it has another URL by now.
 * Returns whether it did.
 */
export async function disableIfFailed(
  db: Db,
  { pk, url }: Pick<DeliveryTarget, "pk" | "url">,
  { isGone, failureMs }: { isGone: boolean; failureMs: number },
): Promise<boolean> {
  const disabled = await db.query(disable, [pk, isGone, failureMs, url]);
  return disabled.length > 0;
}

const list: Statement<DeliveryTarget> = {
  name: "webhooks.list-targets",
  text: `SELECT pk, webhook_id AS "webhookId", types, consumer.position, ${targetColumns},
      consumer.position < (SELECT last_position FROM event_ranges ORDER BY after_position DESC LIMIT 1) AS "isBehind",
      EXISTS (SELECT FROM webhook_queues WHERE webhook_pk = pk AND due_at <= ${databaseNow}) AS "isDue"
    FROM webhooks JOIN consumers consumer ON name = webhook_id WHERE master_id = $1 AND is_enabled ORDER BY pk`,
};

const disable: Statement<unknown> = {
  name: "webhooks.disable",
  text: `WITH disabled AS (
      UPDATE webhooks SET is_enabled = false, updated_at = GREATEST(${databaseNow}, updated_at + 1)
      WHERE pk = $1 AND url = $4 AND is_enabled AND ($2::boolean OR failing_since <= ${databaseNow} - $3::bigint) RETURNING webhook_id
    ), emitted AS (
      ${emit("webhook.disabled", { detail: "jsonb_build_object('webhook_id', webhook_id)" }, "disabled")}
    )
    SELECT webhook_id FROM disabled`,
};
