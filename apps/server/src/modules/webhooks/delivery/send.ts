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
  const body = JSON.stringify(event);
  return receivers.post(url, signedHeaders(secrets, event.event_id, sentAt, body), body);
}

/** The headers of a request with a signature of each secret. */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  sentAt: number,
  body: string,
): Record<string, string> {
  const timestamp = Math.floor(sentAt / 1_000);
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "User-Agent": "Madang-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signWebhook(secrets, { id, timestamp, body }),
  };
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
