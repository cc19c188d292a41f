import { createHmac } from "node:crypto";
import type { KeyMaker } from "../../../security/secret";
import type { AttemptOutcome, Receivers } from "./receivers";
import type { Target } from "./target-store";

export interface SendDeps {
  readonly keyMaker: KeyMaker;
  readonly receivers: Receivers;
  readonly now: () => number;
}

/** Sends an event to a receiver once, signed by Standard Webhooks 1.0. */
export async function sendEvent<Event extends { readonly event_id: string }>(
  { keyMaker, receivers, now }: SendDeps,
  { url, sealed, previousSealed, previousSecretUntil }: Target,
  event: Event,
): Promise<AttemptOutcome> {
  const sentAt = now();
  const isRotating = previousSecretUntil !== null && previousSecretUntil > sentAt;
  const current = isRotating && previousSealed !== null ? [sealed, previousSealed] : [sealed];
  const secrets = await Promise.all(current.map((text) => keyMaker.open(Buffer.from(text, "base64"))));
  const signed = {
    id: event.event_id,
    timestamp: Math.floor(sentAt / 1_000),
    body: JSON.stringify(event),
  };
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(signed.body)),
    "User-Agent": "Madang-Webhooks/1",
    "webhook-id": signed.id,
    "webhook-timestamp": String(signed.timestamp),
    "webhook-signature": signWebhook(secrets, signed),
  };
  return receivers.post(url, headers, signed.body);
}

/** The signatures of a delivery by Standard Webhooks 1.0, one for each secret. `timestamp` is in seconds. */
export function signWebhook(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return signed.join(" ");
}
