import { createECDH } from "node:crypto";
import type { Receivers } from "../../webhooks/delivery/receivers";
import { encryptPayload, maxPayloadBytes } from "./encrypt";
import { fit, type Notification, ttlSeconds } from "./notification";
import { type PushOutcome, readRetryAfter, resultOf } from "./outcome";
import type { Vapid } from "./vapid";

export interface WebPushTarget {
  readonly provider: "webpush";
  readonly endpoint: string;
  /** In base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

interface WebPushDeps {
  readonly vapid: Vapid;
  readonly receivers: Receivers;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Buffer;
}

/** Sends a notification to a browser (RFC 8030). */
export async function sendWebPush(
  { vapid, receivers, now, randomBytes }: WebPushDeps,
  { endpoint, p256dh, auth }: WebPushTarget,
  notification: Notification,
  isWanted?: () => Promise<boolean>,
): Promise<PushOutcome> {
  const keys = { p256dh: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  const payload = Buffer.from(fit(notification, maxPayloadBytes, ({ payload }) => payload));
  const body = encryptPayload(payload, keys, { salt: randomBytes(16), sender });
  const headers = {
    Authorization: vapid.authorize(new URL(endpoint).origin),
    "Content-Type": "application/octet-stream",
    "Content-Encoding": "aes128gcm",
    "Content-Length": String(body.length),
    TTL: String(ttlSeconds),
    Urgency: "high",
    Topic: notification.topic,
    "User-Agent": "Madang-Push/1",
  };
  const { status, error, durationMs, retryAfter, isUnwanted } = await receivers.post(
    endpoint,
    headers,
    body,
    { isWanted },
  );
  if (isUnwanted) return { status, error, durationMs, result: "unwanted" };
  const result = status === 404 || status === 410 ? "gone" : resultOf(status);
  return {
    status,
    error: error ?? (result === "accepted" ? null : `HTTP ${status}`),
    durationMs,
    result,
    retryAfterMs: readRetryAfter(retryAfter, now()),
  };
}
