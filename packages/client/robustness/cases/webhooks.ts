import { verifyWebhook, WebhookVerificationError } from "../../src/events/verify-webhook";
import { assert, type Case, equal } from "../case";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const newSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const foreignSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
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
    name: "during a rotation: a delivery that is signed with both secrets fits each of them, and a list of both",
    async run() {
      const headers = await sign(body, 0, [newSecret, secret]);
      for (const known of [secret, newSecret, [newSecret, secret], [foreignSecret, secret]])
        equal(await verifyWebhook(known, headers, body), event, "the event");
      await rejected(verifyWebhook(foreignSecret, headers, body));
    },
  },
  {
    name: "a delivery whose time differs by less than five minutes: verified; by more: rejected",
    async run() {
      for (const seconds of [-295, 295])
        equal(await verifyWebhook(secret, await sign(body, seconds), body), event, `after ${seconds} s`);
      for (const seconds of [-305, 305])
        await rejected(verifyWebhook(secret, await sign(body, seconds), body));
    },
  },
  {
    name: "a delivery that was changed, or signed with another secret: rejected",
    async run() {
      const headers = await sign(body, 0);
      await rejected(verifyWebhook(secret, headers, body.replace("user", "User")));
      await rejected(verifyWebhook(secret, { ...headers, "webhook-id": "evt_2" }, body));
      await rejected(verifyWebhook(newSecret, headers, body));
      await rejected(verifyWebhook(secret, {}, body));
      await rejected(verifyWebhook(secret, headers, new Uint8Array([0xff])));
    },
  },
];

async function rejected(verification: Promise<unknown>): Promise<void> {
  const error = await verification.then(
    () => "an event",
    (reason: unknown) => reason,
  );
  assert(error instanceof WebhookVerificationError, `a rejection, not ${error}`);
}

/** The headers of a delivery that was sent so many seconds after now, with a signature for each secret. */
async function sign(text: string, seconds: number, secrets = [secret]): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
  const signed = new TextEncoder().encode(`evt_1.${timestamp}.${text}`);
  const signatures = secrets.map(async (one) => {
    const bytes = Uint8Array.from(atob(one.slice("whsec_".length)), (character) => character.charCodeAt(0));
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
    const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
    return `v1,${btoa(String.fromCharCode(...signature))}`;
  });
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}
