import type { Db } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import type { Writer } from "../../write/writer";
import { type AttemptKey, findOutcome, finishAttempt, startPing } from "./attempts-store";
import type { Outcome } from "./receivers";
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
): Promise<Outcome> {
  const createdAt = deps.now();
  const started = await startPing(writer, deps.keyMaker, webhookId, createdAt);
  if (started === undefined) rejectUnknownWebhook(webhookId);
  if (writer.request.outcome === "replayed") return requireOutcome(deps.db, started);
  const event = { event_id: started.eventId, type: "webhook.ping", created_at: createdAt };
  const outcome = await sendEvent(deps, started, { ...event, data: { webhook_id: webhookId } });
  const { status = null, durationMs, error = null } = outcome;
  await finishAttempt(deps.db, started, { status, durationMs, error });
  return outcome;
}

async function requireOutcome(db: Db, key: AttemptKey): Promise<Outcome> {
  const { status = null, durationMs = null, error = null } = (await findOutcome(db, key)) ?? {};
  if (durationMs === null)
    throw new ServiceError(
      "idempotency_key_in_use",
      "The first request with this idempotency key is still running. Send this one again in a second.",
    );
  return { status: status ?? undefined, durationMs, error: error ?? undefined };
}
