import { verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createPushSettings, fcmKeys } from "../../../../test/support/push-settings";
import { bind } from "../../../http/listen/bind";
import { createFcm } from "./fcm";
import type { Notification } from "./notification";

interface Sent {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

const sent: Sent[] = [];
let respond: (response: ServerResponse) => void;
let tokens = 0;
/** What the stand-in responds to a request for a token, unless it grants one. */
let grant: ((response: ServerResponse) => void) | undefined;
/** A stand-in of Google: it grants a token for a signed assertion, and takes messages. */
const google = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === "/token") {
    if (grant !== undefined) return grant(response);
    const assertion = new URLSearchParams(body).get("assertion") ?? "";
    const [header = "", claims = "", signature = ""] = assertion.split(".");
    const isSigned = verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      fcmKeys.publicKey,
      Buffer.from(signature, "base64url"),
    );
    const { iss, aud, scope, iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const isValid =
      isSigned &&
      iss === "push@chat-test.example.com" &&
      aud === `${url}/token` &&
      scope === "https://www.googleapis.com/auth/firebase.messaging" &&
      exp - iat === 3_600;
    tokens += 1;
    return response
      .writeHead(isValid ? 200 : 401, { "Content-Type": "application/json" })
      .end(JSON.stringify({ access_token: `ya29.${tokens}`, expires_in: 3_599, token_type: "Bearer" }));
  }
  sent.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
  respond(response);
});
const url = await bind(google, { PORT: 0, HOST: "127.0.0.1" });
afterAll(() => {
  google.closeAllConnections();
  google.close();
});
const settings = await createPushSettings(`${url}/token`);
const credentials = await readFile(settings.MADANG_FCM_CREDENTIALS ?? "", "utf8");

let clock = 0;
let fcm: ReturnType<typeof createFcm>;
beforeEach(() => {
  sent.splice(0);
  tokens = 0;
  grant = undefined;
  respond = (response) =>
    void response.writeHead(200).end(JSON.stringify({ name: "projects/chat-test/messages/1" }));
  fcm = createFcm({ credentials, now: () => Date.now() + clock, url, timeoutMs: 2_000 });
});

const target = { provider: "fcm", token: "fMl5:APA91b" } as const;
const notification: Notification = {
  topic: "topic-1",
  payload: { type: "message", channel_id: "room_1", title: "Kim", body: "Hello", unread_count: 3 },
};
const fail =
  (status: number, code: string, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(
      JSON.stringify({
        error: {
          code: status,
          status: "X",
          details: [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode: code }],
        },
      }),
    );

test("a message has its texts in the notification and the rest in its data", async () => {
  expect(await fcm.send(target, notification)).toMatchObject({
    status: 200,
    error: null,
    result: "accepted",
  });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    path: "/v1/projects/chat-test/messages:send",
    authorization: "Bearer ya29.1",
  });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
    message: {
      token: target.token,
      notification: { title: "Kim", body: "Hello" },
      data: { type: "message", channel_id: "room_1", unread_count: "3" },
      android: {
        collapse_key: "topic-1",
        ttl: "86400s",
        priority: "HIGH",
        notification: { tag: "topic-1" },
      },
      apns: { headers: { "apns-collapse-id": "topic-1" }, payload: { aps: { badge: 3, sound: "default" } } },
    },
  });
});

test("without texts, it is a data message", async () => {
  await fcm.send(target, { ...notification, payload: { type: "message", channel_id: "room_1" } });
  expect(JSON.parse(sent[0]?.body ?? "").message).not.toHaveProperty("notification");
});

test("a token is requested once, and again before it expires or when it is rejected", async () => {
  await Promise.all([fcm.send(target, notification), fcm.send(target, notification)]);
  expect(tokens).toBe(1);
  clock = 3_400_000;
  await fcm.send(target, notification);
  expect(tokens).toBe(2);
  clock = 0;
  respond = (response) => {
    if (sent.at(-1)?.authorization === "Bearer ya29.3") response.writeHead(200).end("{}");
    else response.writeHead(401).end();
  };
  expect(await fcm.send(target, notification)).toMatchObject({ result: "accepted" });
  expect(tokens).toBe(3);
});

/** Every error that Google documents. */
test.each([
  [400, "INVALID_ARGUMENT", "rejected"],
  [400, "UNSPECIFIED_ERROR", "rejected"],
  [401, "THIRD_PARTY_AUTH_ERROR", "rejected"],
  [403, "SENDER_ID_MISMATCH", "rejected"],
  [404, "UNREGISTERED", "gone"],
  [429, "QUOTA_EXCEEDED", "failed"],
  [500, "INTERNAL", "failed"],
  [503, "UNAVAILABLE", "failed"],
] as const)("%i %s is %s", async (status, code, result) => {
  respond = fail(status, code, { "Retry-After": "7" });
  expect(await fcm.send(target, notification)).toMatchObject({
    status,
    error: code,
    result,
    retryAfterMs: 7_000,
  });
  // Nothing is wrong with the token of this service.
  expect({ sent: sent.length, tokens }).toEqual({ sent: 1, tokens: 1 });
});

test("a 404 that is not about the device, and a status without a code, keep the device", async () => {
  const status = (code: number, status: string) => (response: ServerResponse) =>
    response.writeHead(code).end(JSON.stringify({ error: { code, status, message: target.token } }));
  respond = status(404, "NOT_FOUND");
  expect(await fcm.send(target, notification)).toMatchObject({ error: "NOT_FOUND", result: "rejected" });
  respond = status(403, "PERMISSION_DENIED");
  expect(await fcm.send(target, notification)).toMatchObject({ error: "PERMISSION_DENIED" });
  respond = (response) => void response.writeHead(502).end(`<html>${target.token}`);
  expect(await fcm.send(target, notification)).toMatchObject({ error: "HTTP 502", result: "failed" });
});

test("a 429 without Retry-After is repeated after a minute, as Google asks for", async () => {
  respond = fail(429, "QUOTA_EXCEEDED");
  expect(await fcm.send(target, notification)).toMatchObject({ result: "failed", retryAfterMs: 60_000 });
  respond = fail(503, "UNAVAILABLE");
  expect((await fcm.send(target, notification)).retryAfterMs).toBeUndefined();
});

test("a token that Google does not grant, and a response without one, fail", async () => {
  grant = (response) =>
    response.writeHead(400).end('{"error":"invalid_grant","error_description":"Invalid JWT Signature."}');
  expect(await fcm.send(target, notification)).toMatchObject({
    status: null,
    error: "The token was not granted (HTTP 400).",
    result: "failed",
  });
  grant = (response) => response.writeHead(200).end("{}");
  expect(await fcm.send(target, notification)).toMatchObject({ status: null, result: "failed" });
  expect(sent).toEqual([]);
  grant = undefined;
  expect(await fcm.send(target, notification)).toMatchObject({ result: "accepted" });
});

test("a service that never responds, one that is not there and one that redirects fail", async () => {
  respond = () => undefined;
  expect(await fcm.send(target, notification)).toMatchObject({ status: null, result: "failed" });
  respond = (response) => void response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end();
  expect(await fcm.send(target, notification)).toMatchObject({ status: 307, result: "rejected" });
  const gone = createFcm({ credentials, now: Date.now, url: "http://127.0.0.1:1" });
  expect(await gone.send(target, notification)).toMatchObject({ status: null, result: "failed" });
});

test("nothing is sent that is not wanted any more: with a new token, with a known one, and after a 401", async () => {
  const unwanted = async () => false;
  expect(await fcm.send(target, notification, unwanted)).toMatchObject({ result: "unwanted" });
  expect(await fcm.send(target, notification, unwanted)).toMatchObject({ result: "unwanted" });
  expect(tokens).toBe(1);
  expect(sent).toEqual([]);
  respond = (response) => void response.writeHead(401).end();
  const answers = [true, false];
  const outcome = await fcm.send(target, notification, async () => answers.shift() === true);
  expect(outcome).toMatchObject({ result: "unwanted" });
  expect(sent).toHaveLength(1);
});

test("credentials that are none of a service account are rejected", () => {
  expect(() => createFcm({ credentials: "{}", now: Date.now })).toThrow("MADANG_FCM_CREDENTIALS must be");
});
