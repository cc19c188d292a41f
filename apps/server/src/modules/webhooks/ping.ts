import type { Database } from "../../db/db";
import { idempotencyKeyInUse } from "../../write/idempotency-store";
import type { Writer } from "../../write/writer";
import { findOutcome, finishAttempt, startPing } from "./attempts-store";
import type { AttemptOutcome } from "./delivery/receivers";
import { type SendDeps, sendEvent } from "./delivery/send";
import { rejectUnknownWebhook } from "./store";

/**
 * Sends a test event and records how the receiver responded. The attempt is stored before it is made, so that a repeated
 * request with the same idempotency key finds it instead of sending again.
 */
export async function pingWebhook(
  deps: SendDeps & { readonly db: Database },
  writer: Writer,
  webhookId: string,
): Promise<AttemptOutcome> {
  const createdAt = deps.now();
  const started = await startPing(writer, deps.keyMaker, webhookId, createdAt);
  if (started === undefined) rejectUnknownWebhook(webhookId);
  if (writer.state.outcome === "replayed") {
    const earlier = await findOutcome(deps.db, started);
    if (earlier === undefined) throw idempotencyKeyInUse();
    return earlier;
  }
  const event = { event_id: started.eventId, type: "webhook.ping", created_at: createdAt };
  const outcome = await sendEvent(deps, started, { ...event, data: { webhook_id: webhookId } });
  await finishAttempt(deps.db, started, outcome);
  return outcome;
}
