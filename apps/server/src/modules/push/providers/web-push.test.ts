import { createECDH, randomBytes, webcrypto } from "node:crypto";
import ece from "http_ece";
import { afterAll, expect, onTestFinished, test } from "vitest";
import webPush from "web-push";
import { startPushReceiver } from "../../../../test/support/push-receiver";
import { createAddressRules } from "../../../security/address-rules";
import { createReceivers } from "../../webhooks/delivery/receivers";
import { encryptPayload, isPublicKey, maxPayloadBytes } from "./encrypt";
import { topicOf } from "./notification";
import { createVapid } from "./vapid";
import { sendWebPush } from "./web-push";

/** `web-push`, and `http_ece` with which it encrypts, know nothing of our code. */

const contact = "mailto:operator@example.com";
const secret = randomBytes(32);
const vapid = createVapid({ derive: () => secret }, contact, Date.now);
const vapidKeys = { publicKey: vapid.publicKey, privateKey: secret.toString("base64url") };
const receivers = createReceivers({ rules: createAddressRules(["127.0.0.0/8"]) });
const receiver = await startPushReceiver(vapid.publicKey);
afterAll(async () => {
  receivers.close();
  await receiver.close();
});

const notification = { topic: topicOf("room_1"), payload: { type: "message", body: "점심 먹자 🍜" } };

function createBrowser() {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys();
  return { ecdh, keys: { p256dh, auth: randomBytes(16) } };
}

function encrypt(payload: Buffer, { keys }: ReturnType<typeof createBrowser>): Buffer {
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  return encryptPayload(payload, keys, { salt: randomBytes(16), sender });
}

test("what is encrypted is decrypted by http_ece, whatever the keys and the length", () => {
  for (let count = 0; count < 300; count++) {
    const browser = createBrowser();
    expect(isPublicKey(browser.keys.p256dh)).toBe(true);
    const length = [0, 1, maxPayloadBytes][count] ?? Math.floor((maxPayloadBytes * count) / 300);
    const payload = randomBytes(length);
    const body = encrypt(payload, browser);
    expect(body.length).toBeLessThanOrEqual(4_096);
    const authSecret = browser.keys.auth.toString("base64url");
    const decrypted = ece.decrypt(body, { version: "aes128gcm", privateKey: browser.ecdh, authSecret });
    expect(decrypted.equals(payload)).toBe(true);
  }
});

test("what is encrypted for another browser, or was changed, is not decrypted", () => {
  const [browser, other] = [createBrowser(), createBrowser()];
  const body = encrypt(Buffer.from("secret"), browser);
  const open = ({ ecdh, keys }: typeof browser, bytes: Buffer) =>
    ece.decrypt(bytes, {
      version: "aes128gcm",
      privateKey: ecdh,
      authSecret: keys.auth.toString("base64url"),
    });
  expect(open(browser, body).toString()).toBe("secret");
  expect(() => open(other, body)).toThrow();
  expect(() => open({ ...browser, keys: { ...browser.keys, auth: randomBytes(16) } }, body)).toThrow();
  body.writeUInt8(body.readUInt8(body.length - 1) ^ 1, body.length - 1);
  expect(() => open(browser, body)).toThrow();
});

test("web-push signs and sends the same request, and the receiver of our tests accepts both", async () => {
  const { device, path } = receiver.subscribe();
  const target = { ...device, ...device.keys };
  const outcome = await sendWebPush({ vapid, receivers, now: Date.now, randomBytes }, target, notification);
  expect(outcome).toMatchObject({ status: 201, result: "accepted" });

  const { endpoint, method, headers, body } = webPush.generateRequestDetails(
    device,
    JSON.stringify(notification.payload),
    {
      vapidDetails: { subject: contact, ...vapidKeys },
      contentEncoding: "aes128gcm",
      TTL: 86_400,
      urgency: "high",
      topic: notification.topic,
    },
  );
  const response = await fetch(endpoint, { method, body, headers: headers as Record<string, string> });
  expect(response.status).toBe(201);

  expect(receiver.faults).toEqual([]);
  const [ours, theirs] = receiver.pushes;
  expect(receiver.pushes.map(({ path }) => path)).toEqual([path, path]);
  expect(ours?.payload).toEqual(notification.payload);
  expect(theirs?.payload).toEqual(notification.payload);
  for (const name of [
    "ttl",
    "urgency",
    "topic",
    "content-type",
    "content-encoding",
    "content-length",
  ] as const)
    expect({ [name]: ours?.headers[name] }).toEqual({ [name]: theirs?.headers[name] });
});

test("nothing is sent that is not wanted any more, on a new connection and on a kept one", async () => {
  const own = await startPushReceiver();
  onTestFinished(own.close);
  const { device } = own.subscribe();
  const send = (isWanted: boolean) =>
    sendWebPush(
      { vapid, receivers, now: Date.now, randomBytes },
      { ...device, ...device.keys },
      notification,
      async () => isWanted,
    );
  expect(await send(false)).toMatchObject({ status: null, error: null, result: "unwanted" });
  expect(own.pushes).toHaveLength(0);
  expect(await send(true)).toMatchObject({ result: "accepted" });
  expect(await send(false)).toMatchObject({ result: "unwanted" });
  expect(own.pushes).toHaveLength(1);
  expect(await send(true)).toMatchObject({ result: "accepted" });
});

test("a request that web-push signs with another key is not accepted", async () => {
  const { device } = receiver.subscribe();
  const { publicKey } = webPush.generateVAPIDKeys();
  const signedBy = (keys: typeof vapidKeys) => {
    const { endpoint, method, headers, body } = webPush.generateRequestDetails(device, "{}", {
      vapidDetails: { subject: contact, ...keys },
      contentEncoding: "aes128gcm",
      topic: "topic",
    });
    return fetch(endpoint, { method, body, headers: headers as Record<string, string> });
  };
  expect((await signedBy(vapidKeys)).status).toBe(201);
  expect((await signedBy(webPush.generateVAPIDKeys())).status).toBe(400);
  expect((await signedBy({ ...vapidKeys, publicKey })).status).toBe(400);
  const other = webPush.generateVAPIDKeys().privateKey;
  expect((await signedBy({ ...vapidKeys, privateKey: other })).status).toBe(400);
  expect(receiver.faults.splice(0)).toEqual([
    "Error: another key",
    "Error: another key",
    "Error: wrong signature",
  ]);
});

test.each([secret, Buffer.concat([Buffer.alloc(2), secret.subarray(2)])])(
  "the header Authorization is that of web-push, with a signature that WebCrypto verifies",
  async (key) => {
    const own = createVapid({ derive: () => key }, contact, Date.now);
    const [token = "", publicKey = ""] = partsOf(own.authorize("https://push.example.com"));
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { Authorization } = webPush.getVapidHeaders(
      "https://push.example.com",
      contact,
      own.publicKey,
      key.toString("base64url"),
      "aes128gcm",
      exp,
    );
    const [theirs = "", theirKey] = partsOf(String(Authorization));
    expect(publicKey).toBe(theirKey);
    // The signature is another one each time.
    expect(readToken(token)).toEqual(readToken(theirs));
    expect(await isSigned(token, publicKey)).toBe(true);
    expect(await isSigned(theirs, publicKey)).toBe(true);
    expect(await isSigned(token, webPush.generateVAPIDKeys().publicKey)).toBe(false);
  },
);

const partsOf = (authorization: string) => /^vapid t=([^,]+), k=(.+)$/.exec(authorization)?.slice(1) ?? [];

const readToken = (token: string) =>
  token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));

async function isSigned(token: string, publicKey: string): Promise<boolean> {
  const { subtle } = webcrypto;
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const key = await subtle.importKey("raw", Buffer.from(publicKey, "base64url"), algorithm, false, [
    "verify",
  ]);
  const [header, claims, signature = ""] = token.split(".");
  return subtle.verify(
    algorithm,
    key,
    Buffer.from(signature, "base64url"),
    Buffer.from(`${header}.${claims}`),
  );
}
