import { createHmac } from "node:crypto";
import { expect, expectTypeOf, test } from "vitest";
import type { ReceivedEvent } from "./listen-options";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const user = { user_id: "kim_01", name: "김", profile_url: "", meta: {}, created_at: 1, updated_at: 1 };
const event = { event_id: "4021", type: "user.created", created_at: 1, data: { user_id: "kim_01", user } };
const body = JSON.stringify(event);
const now = () => Math.floor(Date.now() / 1_000);

function sign(key: string, id: string, timestamp: number | string, text: string): string {
  const hmac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"));
  return `v1,${hmac.update(`${id}.${timestamp}.${text}`).digest("base64")}`;
}

function headersOf({ keys = [secret], id = "4021", timestamp = now() as number | string, text = body } = {}) {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": keys.map((key) => sign(key, id, timestamp, text)).join(" "),
  };
}

test("a delivery that is signed with the secret is returned as its event", async () => {
  expect(await verifyWebhook(secret, headersOf(), body)).toEqual(event);
});

test("headers may be those of fetch or of Node, and the body may be bytes", async () => {
  const headers = headersOf();
  expect(await verifyWebhook(secret, new Headers(headers), Buffer.from(body))).toEqual(event);
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(await verifyWebhook(secret, { ...named, host: "x" }, new TextEncoder().encode(body))).toEqual(event);
});

test("during a rotation, the old and the new secret verify a delivery that is signed with both", async () => {
  const headers = headersOf({ keys: [other, secret] });
  expect(await verifyWebhook(secret, headers, body)).toEqual(event);
  expect(await verifyWebhook(other, headers, body)).toEqual(event);
});

test("of several secrets, one is enough", async () => {
  expect(await verifyWebhook([other, secret], headersOf(), body)).toEqual(event);
});

test.each([-299, 299])("a time that differs by %d s is accepted", async (seconds) => {
  expect(await verifyWebhook(secret, headersOf({ timestamp: now() + seconds }), body)).toEqual(event);
});

const signed = headersOf();
test.each([
  ["with another secret", headersOf({ keys: [other] }), body],
  ["with a signature that is not base64", { ...signed, "webhook-signature": "v1,A v1,AA= v1,===" }, body],
  ["with a changed body", signed, body.replace("user", "User")],
  ["with a changed id", { ...signed, "webhook-id": "4022" }, body],
  [
    "with a changed time",
    { ...signed, "webhook-timestamp": String(Number(signed["webhook-timestamp"]) - 1) },
    body,
  ],
  [
    "of another version",
    { ...signed, "webhook-signature": signed["webhook-signature"].replace("v1,", "v2,") },
    body,
  ],
  ["without a version", { ...signed, "webhook-signature": signed["webhook-signature"].slice(3) }, body],
  ["that is cut short", { ...signed, "webhook-signature": signed["webhook-signature"].slice(0, -4) }, body],
  ["that is not base64", { ...signed, "webhook-signature": "v1,%%%" }, body],
  ["with an empty signature", { ...signed, "webhook-signature": "v1," }, body],
  ["without a signature", { ...signed, "webhook-signature": undefined }, body],
  ["without an id", { ...signed, "webhook-id": undefined }, body],
  ["without a time", { ...signed, "webhook-timestamp": undefined }, body],
  ["that is more than five minutes old", headersOf({ timestamp: now() - 302 }), body],
  // It was signed when this file was loaded.
  ["that is more than five minutes ahead", headersOf({ timestamp: now() + 3_600 }), body],
  ["whose time is not a number", headersOf({ timestamp: "now" }), body],
  ["whose time is in another form", headersOf({ timestamp: `${now()}.0` }), body],
  ["whose body is not UTF-8", signed, new Uint8Array([0xff])],
])("a delivery %s is rejected", async (_which, headers, sent) => {
  await expect(verifyWebhook(secret, headers, sent)).rejects.toBeInstanceOf(WebhookVerificationError);
});

test("the type of an event narrows its data", async () => {
  const received = await verifyWebhook(secret, headersOf(), body);
  if (received.type === "user.created") expect(received.data.user?.name).toBe("김");
  else expectTypeOf(received.type).toExtend<ReceivedEvent["type"] | "webhook.ping">();
  if (received.type === "webhook.ping") expectTypeOf(received.data.webhook_id).toEqualTypeOf<string>();
});

test("an invalid secret is a TypeError", async () => {
  for (const wrong of ["", "sk_1", "whsec_", "whsec_%%"])
    await expect(verifyWebhook(wrong, headersOf(), body)).rejects.toBeInstanceOf(TypeError);
});
