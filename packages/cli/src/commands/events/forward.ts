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
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const startedAt = performance.now();
  const outcome = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": event.event_id,
      "webhook-timestamp": timestamp,
      "webhook-signature": sign(secret, `${event.event_id}.${timestamp}.${body}`),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return { status: response.status };
    },
    (error: unknown) => ({ error: explain(error) }),
  );
  signal.throwIfAborted();
  const duration_ms = Math.round(performance.now() - startedAt);
  return { event_id: event.event_id, type: event.type, ...outcome, duration_ms };
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
