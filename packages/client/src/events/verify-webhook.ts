import type { ChatEvent } from "../generated/types";

/** The test event that `chat.webhooks.ping` sends. */
export interface PingEvent {
  /** The id. It is unique. */
  event_id: string;
  /** What happened. */
  type: "webhook.ping";
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** What the event is about. */
  data: {
    /** The webhook. */
    webhook_id: string;
  };
}

/**
 * An event as a webhook delivers it: one of the feed, or a test event. A repeated delivery has the same `event_id`. A
 * newer server may send further types.
 */
export type DeliveredEvent = ChatEvent | PingEvent;

/** The headers of a request: a `Headers` object, or an object such as `request.headers` of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The delivery was not signed with the secret, was changed, or is too old. Respond with 400. */
export class WebhookVerificationError extends Error {
  /** The name of the class. */
  override readonly name = "WebhookVerificationError";
}

/** How far the time of a delivery may be from now, in seconds. */
const toleranceSeconds = 300;

/**
 * Verifies a delivery (Standard Webhooks 1.0) and returns its event. Throws `WebhookVerificationError`.
 *
 * @param secret The secret of the webhook, or several. For 24 hours after a rotation, deliveries fit the old and the new one.
 * @param headers The headers of the request.
 * @param body The body as it was received, not parsed.
 * @example const event = await verifyWebhook(secret, request.headers, await request.text());
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
): Promise<DeliveredEvent> {
  // The server has signed it: it is an event.
  return (await verifySigned(secret, headers, body)) as DeliveredEvent;
}

/** Verifies what the server has signed (Standard Webhooks 1.0), and returns it. */
export async function verifySigned(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
): Promise<unknown> {
  const id = requireHeader(headers, "webhook-id");
  const timestamp = requireHeader(headers, "webhook-timestamp");
  const signatures = requireHeader(headers, "webhook-signature").split(" ");
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^[0-9]+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError("The delivery is older than five minutes, or a clock is wrong.");
  const text = typeof body === "string" ? body : decode(body);
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  for (const one of typeof secret === "string" ? [secret] : secret)
    if (await hasSignature(one, signatures, signed)) return JSON.parse(text);
  throw new WebhookVerificationError("The signature does not fit the body and the secret.");
}

const encoder = new TextEncoder();

/** `crypto.subtle.verify` compares in constant time. */
async function hasSignature(secret: string, signatures: readonly string[], signed: Uint8Array<ArrayBuffer>) {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", fromBase64(requireSecret(secret)), algorithm, false, ["verify"]);
  for (const signature of signatures) {
    const [version, encoded = ""] = signature.split(",");
    if (version !== "v1" || !base64.test(encoded)) continue;
    if (await subtle.verify("HMAC", key, fromBase64(encoded), signed)) return true;
  }
  return false;
}

/** What `atob` accepts, with and without padding. */
const base64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function requireSecret(secret: string): string {
  const [, encoded = ""] = /^whsec_(.*)$/.exec(secret) ?? [];
  if (!base64.test(encoded)) throw new TypeError("The secret of a webhook begins with whsec_.");
  return encoded;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new WebhookVerificationError("The body is not UTF-8.");
  }
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}
