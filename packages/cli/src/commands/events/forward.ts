import { createHmac } from "node:crypto";
import type { ChatEvent } from "@madang/client";

/** How a receiver responded to an event. */
export interface Delivery {
  readonly event_id: string;
  readonly type: string;
  readonly status?: number;
  readonly error?: string;
  readonly duration_ms: number;
}

const timeoutMs = 15_000;

/** Sends an event as a webhook does: signed by Standard Webhooks 1.0, a redirect is a failure. */
export async function forward(
  event: ChatEvent,
  url: string,
  secret: string,
  signal: AbortSignal,
): Promise<Delivery> {
  const message = {
    id: event.event_id,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    body: JSON.stringify(event),
  };
  const { response, ...outcome } = await postSigned(url, secret, message, { timeoutMs, signal });
  signal.throwIfAborted();
  const { event_id, type } = event;
  return { event_id, type, ...(response && { status: response.status }), ...outcome };
}

export interface SignedMessage {
  readonly id: string;
  /** In seconds, as text. */
  readonly timestamp: string;
  readonly body: string;
}

/** How a receiver responded. */
export interface Outcome {
  readonly response?: { readonly status: number; readonly text: string };
  /** Why there is none. */
  readonly error?: string;
  readonly duration_ms: number;
}

/** Sends a text, signed by Standard Webhooks 1.0. Redirects are not followed. */
export async function postSigned(
  url: string,
  secret: string,
  { id, timestamp, body }: SignedMessage,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": sign(secret, `${id}.${timestamp}.${body}`),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).then(
    async (response) => ({
      response: { status: response.status, text: await response.text().catch(() => "") },
    }),
    (error: unknown) => ({ error: explain(error) }),
  );
  return { ...outcome, duration_ms: Math.round(performance.now() - startedAt) };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

/** The message of the platform is "fetch failed"; its cause has the reason. */
function explain(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  const { code } = Object(cause);
  return typeof code === "string" ? code : message;
}
