import type { Cursors } from "../../paging/cursor";
import { signCursorBefore } from "../events/cursor";
import type { AttemptRow } from "./attempts-store";
import type { Outcome } from "./receivers";
import type { WebhookRow } from "./store";

export function presentWebhook({ createdAt, updatedAt, ...row }: WebhookRow) {
  return { ...presentFields(row), created_at: createdAt, updated_at: updatedAt };
}

export function presentWebhookWithSecret({ createdAt, updatedAt, ...row }: WebhookRow, secret: string) {
  return { ...presentFields(row), secret, created_at: createdAt, updated_at: updatedAt };
}

function presentFields(row: Omit<WebhookRow, "createdAt" | "updatedAt">) {
  return {
    webhook_id: row.webhookId,
    url: row.url,
    ...(row.types.length > 0 && { types: [...row.types] }),
    ...(row.description !== null && { description: row.description }),
    enabled: row.isEnabled,
  };
}

export function presentOutcome({ status, durationMs, error }: Outcome) {
  return {
    ...(status !== undefined && { status }),
    duration_ms: durationMs,
    ...(error !== undefined && { error }),
  };
}

export function presentAttempt(
  cursors: Cursors,
  { eventId, channelPk, attempt, status, durationMs, error, createdAt }: AttemptRow,
) {
  const outcome = { status: status ?? undefined, durationMs: durationMs ?? 0, error: error ?? undefined };
  return {
    event_id: eventId,
    ...(channelPk !== null && { after: signCursorBefore(cursors, { channelPk, eventId }) }),
    attempt,
    ...presentOutcome(outcome),
    created_at: createdAt,
  };
}
