import type { Db, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { ServiceError } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { type AttemptKey, findOutcome, finishAttempt } from "./attempts";
import type { Outcome } from "./receivers";
import { type SendDeps, sendEvent, type Target, targetColumns } from "./send";
import { rejectUnknownWebhook } from "./store";

/**
 * Sends a test event and records how the receiver responded. The attempt is stored before it is made, so that a repeated
 * request with the same idempotency key finds it instead of sending again.
 */
export async function pingWebhook(
  deps: SendDeps & { readonly db: Db },
  writer: Writer,
  webhookId: string,
): Promise<Outcome> {
  const createdAt = deps.now();
  const [started] = await writer.write(start, [deps.keyMaker.masterId, webhookId, createdAt]);
  if (started === undefined) rejectUnknownWebhook(webhookId);
  if (writer.claim?.isReplayed) return requireOutcome(deps.db, started);
  const event = { event_id: started.eventId, type: "webhook.ping", created_at: createdAt };
  const outcome = await sendEvent(deps, started, { ...event, data: { webhook_id: webhookId } });
  const { status = null, durationMs, error = null } = outcome;
  await finishAttempt(deps.db, started, { status, durationMs, error });
  return outcome;
}

type Started = Target & AttemptKey & Row<"WebhookAttempt", "eventId">;

async function requireOutcome(db: Db, key: AttemptKey): Promise<Outcome> {
  const { status = null, durationMs = null, error = null } = (await findOutcome(db, key)) ?? {};
  if (durationMs === null)
    throw new ServiceError(
      "idempotency_key_in_use",
      "The first request with this idempotency key is still running. Send this one again in a second.",
    );
  return { status: status ?? undefined, durationMs, error: error ?? undefined };
}

const start: Statement<Started> = {
  name: "webhooks.start-ping",
  text: `WITH webhook AS (
      SELECT pk AS webhook_pk, ${targetColumns} FROM webhooks WHERE master_id = $1 AND webhook_id = $2
    ), started AS (
      INSERT INTO webhook_attempts (webhook_pk, created_at, event_id, attempt)
      SELECT webhook_pk, $3::bigint, 'ping_' || replace(gen_random_uuid()::text, '-', ''), 1 FROM webhook
      RETURNING pk, event_id, created_at
    )
    SELECT webhook_pk AS "webhookPk", created_at AS "createdAt", pk, event_id AS "eventId", url, sealed,
      "previousSealed", "previousSecretUntil"
    FROM webhook, started`,
};
