import type { Db } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import type { Writer } from "../../write/writer";
import { type AttemptKey, findOutcome, finishAttempt, startPing } from "./attempts-store";
import type { AttemptOutcome } from "./receivers";
import { type SendDeps, sendEvent } from "./send";
import { rejectUnknownWebhook } from "./store";

/**
 * Sends a test event and records how the receiver responded. The attempt is stored before it is made, so that a repeated
 * request with the same idempotency key finds it instead of sending again.
 */
export async function pingWebhook(
  deps: SendDeps & { readonly db: Db },
  writer: Writer,
  webhookId: string,
): Promise<AttemptOutcome> {
  const createdAt = deps.now();
  const started = await startPing(writer, deps.keyMaker, webhookId, createdAt);
  if (started === undefined) rejectUnknownWebhook(webhookId);
  if (writer.state.outcome === "replayed") return requireOutcome(deps.db, started);
  const event = { event_id: started.eventId, type: "webhook.ping", created_at: createdAt };
  const outcome = await sendEvent(deps, started, { ...event, data: { webhook_id: webhookId } });
  await finishAttempt(deps.db, started, outcome);
  return outcome;
}

async function requireOutcome(db: Db, key: AttemptKey): Promise<AttemptOutcome> {
  const outcome = await findOutcome(db, key);
  if (outcome === undefined)
    throw new ServiceError(
      "idempotency_key_in_use",
      "The first request with this idempotency key is still running. Send this one again in a second.",
    );
  return outcome;
}
