import type { Cursors } from "../../paging/cursor";
import { signCursorBefore } from "../events/cursor";
import type { AttemptRow } from "./attempts-store";
import type { AttemptOutcome } from "./delivery/receivers";
import type { WebhookRow } from "./store";

export function presentWebhook(row: WebhookRow) {
  return {
    webhook_id: row.webhookId,
    url: row.url,
    ...(row.types.length > 0 && { types: [...row.types] }),
    ...(row.description !== null && { description: row.description }),
    enabled: row.isEnabled,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export function presentOutcome({ status, durationMs, error }: AttemptOutcome) {
  return {
    ...(status !== null && { status }),
    duration_ms: durationMs,
    ...(error !== null && { error }),
  };
}

export function presentAttempt(
  cursors: Cursors,
  { eventId, channelPk, attempt, status, durationMs, error, createdAt }: AttemptRow,
) {
  return {
    event_id: eventId,
    ...(channelPk !== null && { after: signCursorBefore(cursors, { channelPk, eventId }) }),
    attempt,
    ...presentOutcome({ status, durationMs: durationMs ?? 0, error }),
    created_at: createdAt,
  };
}
