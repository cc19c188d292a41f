import { verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { apnsKeys, createPushSettings } from "../../../../test/support/push-settings";
import { bind } from "../../../http/listen/bind";
import { createApns } from "./apns";
import type { Notification } from "./notification";

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const sent: Sent[] = [];
let respond: (stream: ServerHttp2Stream) => void;
/** A stand-in of Apple, without TLS. */
const apple = createServer();
const sessions = new Set<{ destroy(): void }>();
apple.on("session", (session) => {
  sessions.add(session);
  session.on("close", () => sessions.delete(session));
});
apple.on("stream", async (stream, headers) => {
  stream.on("error", () => undefined);
  sent.push({ headers, body: await text(stream) });
  respond(stream);
});
const url = await bind(apple as never, { PORT: 0, HOST: "127.0.0.1" });
afterAll(() => {
  apns.close();
  for (const session of sessions) session.destroy();
  apple.close();
});
const settings = await createPushSettings();
const key = await readFile(settings.MADANG_APNS_KEY ?? "", "utf8");

let clock = 0;
let apns: ReturnType<typeof createApns>;
beforeEach(() => {
  apns?.close();
  sent.splice(0);
  clock = 0;
  respond = (stream) => {
    stream.respond({ ":status": 200 });
    stream.end();
  };
  const urls = { production: url, development: url };
  const now = () => Date.now() + clock;
  apns = createApns({ key, keyId: "ABC123DEFG", teamId: "TEAM123456", now, urls, timeoutMs: 2_000 });
});

const target = {
  provider: "apns",
  token: "00ff",
  topic: "com.example.chat",
  environment: "production",
} as const;
const notification: Notification = {
  topic: "topic-1",
  payload: { type: "message", channel_id: "room_1", title: "Kim", body: "Hello", unread_count: 3 },
};
const fail =
  (status: number, reason: string, headers = {}) =>
  (stream: ServerHttp2Stream) => {
    stream.respond({ ":status": status, ...headers });
    stream.end(JSON.stringify({ reason }));
  };

test("a message is sent with the headers that Apple documents, and a signed token", async () => {
  expect(await apns.send(target, notification)).toMatchObject({ status: 200, result: "accepted" });
  const [{ headers, body } = { headers: {}, body: "" }] = sent;
  expect(headers).toMatchObject({
    ":method": "POST",
    ":path": "/3/device/00ff",
    "apns-topic": "com.example.chat",
    "apns-push-type": "alert",
    "apns-priority": "10",
    "apns-collapse-id": "topic-1",
  });
  expect(Number(headers["apns-expiration"])).toBeCloseTo(Date.now() / 1_000 + 86_400, -2);
  const [header = "", claims = "", signature = ""] = (headers.authorization ?? "")
    .replace("bearer ", "")
    .split(".");
  const signed = Buffer.from(`${header}.${claims}`);
  const publicKey = { key: apnsKeys.publicKey, dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
    alg: "ES256",
    kid: "ABC123DEFG",
  });
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
    iss: "TEAM123456",
    iat: expect.any(Number),
  });
  expect(JSON.parse(body)).toEqual({
    aps: {
      alert: { title: "Kim", body: "Hello" },
      sound: "default",
      "mutable-content": 1,
      "thread-id": "room_1",
      badge: 3,
    },
    type: "message",
    channel_id: "room_1",
    unread_count: 3,
  });
});

const tokensOf = (requests: readonly Sent[]) => requests.map(({ headers }) => headers.authorization);

test("a token serves for 40 minutes, also when the clock is set back", async () => {
  await apns.send(target, notification);
  clock = 39 * 60_000;
  await apns.send(target, notification);
  clock = 41 * 60_000;
  await apns.send(target, notification);
  clock = 0;
  await apns.send(target, notification);
  const [one, two, three, four] = tokensOf(sent);
  expect(two).toBe(one);
  expect(three).not.toBe(one);
  expect(four).not.toBe(three);
});

test("a token that has expired for Apple is replaced once, by requests at the same time too, and at most every 20 minutes", async () => {
  await apns.send(target, notification);
  const expired = sent[0]?.headers.authorization;
  clock = 25 * 60_000;
  respond = (stream) => {
    if (tokensOf(sent.slice(-1))[0] === expired) fail(403, "ExpiredProviderToken")(stream);
    else fail(200, "")(stream);
  };
  const send = () => apns.send(target, notification);
  const outcomes = await Promise.all(Array.from({ length: 30 }, send));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(tokensOf(sent)).size).toBe(2);
  // Apple would reject further ones: the clock of one of the two is wrong.
  respond = fail(403, "ExpiredProviderToken");
  expect(await send()).toMatchObject({ error: "ExpiredProviderToken", result: "rejected" });
  expect(new Set(tokensOf(sent)).size).toBe(2);
});

/** Every error that Apple documents. */
test.each([
  [400, "BadCollapseId", "rejected"],
  [400, "BadDeviceToken", "gone"],
  [400, "BadExpirationDate", "rejected"],
  [400, "BadMessageId", "rejected"],
  [400, "BadPriority", "rejected"],
  [400, "BadTopic", "rejected"],
  [400, "DeviceTokenNotForTopic", "rejected"],
  [400, "DuplicateHeaders", "rejected"],
  [400, "IdleTimeout", "failed"],
  [400, "InvalidPushType", "rejected"],
  [400, "MissingDeviceToken", "rejected"],
  [400, "MissingTopic", "rejected"],
  [400, "PayloadEmpty", "rejected"],
  [400, "TopicDisallowed", "rejected"],
  [403, "BadCertificate", "rejected"],
  [403, "BadCertificateEnvironment", "rejected"],
  [403, "BadEnvironmentKeyIdInToken", "rejected"],
  [403, "ExpiredProviderToken", "rejected"],
  [403, "Forbidden", "rejected"],
  [403, "InvalidProviderToken", "rejected"],
  [403, "MissingProviderToken", "rejected"],
  [403, "UnrelatedKeyIdInToken", "rejected"],
  [404, "BadPath", "rejected"],
  [405, "MethodNotAllowed", "rejected"],
  [410, "ExpiredToken", "gone"],
  [410, "Unregistered", "gone"],
  [413, "PayloadTooLarge", "rejected"],
  [429, "TooManyProviderTokenUpdates", "failed"],
  [429, "TooManyRequests", "failed"],
  [500, "InternalServerError", "failed"],
  [503, "ServiceUnavailable", "failed"],
  [503, "Shutdown", "failed"],
] as const)("%i %s is %s", async (status, reason, result) => {
  respond = fail(status, reason, { "retry-after": "7" });
  expect(await apns.send(target, notification)).toMatchObject({
    status,
    error: reason,
    result,
    retryAfterMs: 7_000,
  });
});

test("a response that is no JSON, or quotes a token, is reported by its status alone", async () => {
  respond = fail(400, "Bad token 00ff");
  expect(await apns.send(target, notification)).toMatchObject({ status: 400, error: "HTTP 400" });
  respond = (stream) => {
    stream.respond({ ":status": 502 });
    stream.end("<html>00ff".repeat(10_000));
  };
  expect(await apns.send(target, notification)).toMatchObject({ error: "HTTP 502", result: "failed" });
});

test.each([
  "NGHTTP2_NO_ERROR",
  "NGHTTP2_CANCEL",
  "NGHTTP2_REFUSED_STREAM",
  "NGHTTP2_INTERNAL_ERROR",
] as const)("a request that Apple ends with %s, without a response, is repeated", async (code) => {
  respond = (stream) => stream.close(constants[code]);
  expect(await apns.send(target, notification)).toMatchObject({ status: null, result: "failed" });
});

test("a connection that Apple ends by GOAWAY finishes its requests, and the next push opens another", async () => {
  respond = (stream) => {
    stream.session?.goaway(0);
    setTimeout(() => fail(200, "")(stream), 50);
  };
  const first = apns.send(target, notification);
  await expect.poll(() => sent.length).toBe(1);
  await new Promise((done) => setTimeout(done, 20));
  const second = apns.send(target, notification);
  expect([await first, await second]).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(sent).toHaveLength(2);
});

test("pushes that wait for one connection share it, and add no listeners", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const before = sessions.size;
  await Promise.all(Array.from({ length: 50 }, () => apns.send(target, notification)));
  await new Promise((done) => setImmediate(done));
  process.off("warning", warn);
  expect(sent).toHaveLength(50);
  expect(sessions.size).toBeLessThanOrEqual(before + 1);
  expect(warnings).toEqual([]);
});

test("nothing is sent that is not wanted any more: on a new connection, on a kept one, and after an expired token", async () => {
  const unwanted = async () => false;
  expect(await apns.send(target, notification, unwanted)).toMatchObject({ result: "unwanted" });
  expect(await apns.send(target, notification, unwanted)).toMatchObject({ result: "unwanted" });
  expect(sent).toEqual([]);
  respond = fail(403, "ExpiredProviderToken");
  clock = 25 * 60_000;
  const answers = [true, false];
  const outcome = await apns.send(target, notification, async () => answers.shift() === true);
  expect(outcome).toMatchObject({ result: "unwanted" });
  expect(sent).toHaveLength(1);
});

test("after a connection that was closed, the next push opens another", async () => {
  await apns.send(target, notification);
  for (const session of sessions) session.destroy();
  await expect.poll(() => sessions.size).toBe(0);
  const outcomes = [await apns.send(target, notification), await apns.send(target, notification)];
  expect(outcomes.at(-1)).toMatchObject({ status: 200 });
});

test("a service that never responds, and one that is not there, fail", async () => {
  respond = () => undefined;
  expect(await apns.send(target, notification)).toMatchObject({ status: null, result: "failed" });
  const urls = { production: "http://127.0.0.1:1", development: url };
  const gone = createApns({ key, keyId: "A", teamId: "B", now: Date.now, urls });
  expect(await gone.send(target, notification)).toMatchObject({ status: null, result: "failed" });
});

test("a file that is no key is rejected", () => {
  expect(() => createApns({ key: "none", keyId: "A", teamId: "B", now: Date.now })).toThrow(
    "MADANG_APNS_KEY must be",
  );
});
