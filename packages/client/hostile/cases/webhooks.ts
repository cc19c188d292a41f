import { verifyWebhook, WebhookVerificationError } from "../../src/verify-webhook";
import { assert, type Case, equal } from "../bench";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = { event_id: "evt_1", type: "user.created", created_at: 1, data: { user_id: "김" } };
const body = JSON.stringify(event);

/** Deliveries of webhooks, which are verified by the cryptography of each runtime. */
export const webhooks: readonly Case[] = [
  {
    name: "a delivery that is signed with the secret: verified, as text and as bytes",
    async run() {
      const headers = await sign(body, 0);
      equal(await verifyWebhook(secret, headers, body), event, "the event of a text");
      const bytes = new TextEncoder().encode(body);
      equal(await verifyWebhook(secret, new Headers(headers), bytes), event, "the event of bytes");
    },
  },
  {
    name: "a delivery that was changed, signed with another secret or sent too long ago: rejected",
    async run() {
      const headers = await sign(body, 0);
      const old = await sign(body, -301);
      const calls = [
        verifyWebhook(secret, headers, body.replace("user", "User")),
        verifyWebhook("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", headers, body),
        verifyWebhook(secret, old, body),
        verifyWebhook(secret, {}, body),
      ].map((call) => call.catch((error: unknown) => error));
      for (const error of await Promise.all(calls))
        assert(error instanceof WebhookVerificationError, `a rejection, not ${error}`);
    },
  },
];

/** The headers of a delivery that was sent so many seconds after now. */
async function sign(text: string, seconds: number): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
  const bytes = Uint8Array.from(atob(secret.slice("whsec_".length)), (one) => one.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = new TextEncoder().encode(`evt_1.${timestamp}.${text}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}
