import { createPrivateKey, type KeyObject } from "node:crypto";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { SettingError } from "../../../errors/service-error";
import { codeOf } from "../../../errors/thrown";
import { fit, type Notification, ttlSeconds } from "./notification";
import { type PushOutcome, readRetryAfter, resultOf } from "./outcome";
import { signToken } from "./vapid";

export interface ApnsTarget {
  readonly provider: "apns";
  readonly token: string;
  readonly topic: string;
  readonly environment: "production" | "development";
}

export interface Apns {
  send(
    target: ApnsTarget,
    notification: Notification,
    isWanted?: () => Promise<boolean>,
  ): Promise<PushOutcome>;
  close(): void;
}

interface ApnsOptions {
  /** The content of a `.p8` file. */
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  readonly now: () => number;
  readonly urls?: Readonly<Record<ApnsTarget["environment"], string>> | undefined;
  readonly timeoutMs?: number | undefined;
}

const defaultUrls = {
  production: "https://api.push.apple.com",
  development: "https://api.sandbox.push.apple.com",
};
const defaultTimeoutMs = 15_000;
const maxPayloadBytes = 4_096;
/** Apple accepts a token for 60 minutes, and rejects a new one within 20 minutes of the last. */
const tokenMs = 40 * 60_000;
const minTokenMs = 20 * 60_000;
const maxResponseBytes = 4_096;

/** Apple's push service. Throws a `SettingError` if the key is none. */
export function createApns({
  key,
  keyId,
  teamId,
  now,
  urls = defaultUrls,
  timeoutMs = defaultTimeoutMs,
}: ApnsOptions): Apns {
  const privateKey = readKey(key);
  let current: { readonly value: string; readonly signedAt: number } | undefined;
  const signAgainAfter = (minAgeMs: number): string => {
    // The clock may have been set back since.
    if (current === undefined || Math.abs(now() - current.signedAt) >= minAgeMs) {
      const signedAt = now();
      const claims = { iss: teamId, iat: Math.floor(signedAt / 1_000) };
      current = { value: signToken(privateKey, { kid: keyId }, claims), signedAt };
    }
    return current.value;
  };

  const connections = new Map<string, Connection>();
  const openConnection = (url: string): Connection => {
    const known = connections.get(url);
    if (known !== undefined && !known.session.closed && !known.session.destroyed) return known;
    const session = connect(url);
    const connection = { session, connected: untilConnected(session, timeoutMs) };
    const forget = () => {
      if (connections.get(url) === connection) connections.delete(url);
    };
    session.on("goaway", forget);
    session.on("close", forget);
    // The requests of the session report it.
    session.on("error", forget);
    // A connection alone does not keep the process alive.
    session.unref();
    connections.set(url, connection);
    return connection;
  };

  const post = async (
    { token, topic, environment }: ApnsTarget,
    body: string,
    collapseId: string,
    isWanted: (() => Promise<boolean>) | undefined,
    minTokenAgeMs = tokenMs,
  ) => {
    const { session, connected } = openConnection(urls[environment]);
    await connected;
    if ((await isWanted?.()) === false) return undefined;
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: `/3/device/${token}`,
      authorization: `bearer ${signAgainAfter(minTokenAgeMs)}`,
      "apns-topic": topic,
      "apns-push-type": "alert",
      "apns-priority": "10",
      "apns-expiration": String(Math.floor(now() / 1_000) + ttlSeconds),
      "apns-collapse-id": collapseId,
      "content-type": "application/json",
    });
    return new Promise<Response>((done, fail) => {
      let status: number | undefined;
      let retryAfter: string | undefined;
      let text = "";
      stream.setEncoding("utf8");
      stream.setTimeout(timeoutMs, () => {
        stream.close(constants.NGHTTP2_CANCEL);
        // The connection may be dead without having been closed.
        session.close();
        fail(new Error("There was no response."));
      });
      stream.on("response", (headers) => {
        status = headers[":status"];
        retryAfter = headers["retry-after"];
      });
      stream.on("data", (chunk: string) => {
        if (text.length < maxResponseBytes) text += chunk;
      });
      stream.on("error", fail);
      // A stream that was cancelled may end without a response.
      stream.on("close", () => {
        if (status === undefined) fail(new Error("The connection was closed."));
        else done({ status, retryAfter, reason: readReason(text) });
      });
      stream.end(body);
    });
  };

  return {
    async send(target, notification, isWanted) {
      const startedAt = performance.now();
      const end = (outcome: Omit<PushOutcome, "durationMs">): PushOutcome => ({
        ...outcome,
        durationMs: Math.round(performance.now() - startedAt),
      });
      const body = fit(notification, maxPayloadBytes, toMessage);
      try {
        let response = await post(target, body, notification.topic, isWanted);
        if (response?.reason === "ExpiredProviderToken")
          response = await post(target, body, notification.topic, isWanted, minTokenMs);
        if (response === undefined) return end({ status: null, error: null, result: "unwanted" });
        const { status, reason, retryAfter } = response;
        if (status === 200) return end({ status, error: null, result: "accepted" });
        return end({
          status,
          error: reason ?? `HTTP ${status}`,
          result: resultOfReason(status, reason),
          retryAfterMs: readRetryAfter(retryAfter, now()),
        });
      } catch (error) {
        const code = codeOf(error);
        const message =
          code === undefined ? String(Object(error).message) : `The connection failed (${code}).`;
        return end({ status: null, error: message, result: "failed" });
      }
    },
    close() {
      for (const { session } of connections.values()) session.destroy();
      connections.clear();
    },
  };
}

interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly reason: string | undefined;
}

interface Connection {
  readonly session: ClientHttp2Session;
  readonly connected: Promise<void>;
}

function untilConnected(session: ClientHttp2Session, timeoutMs: number): Promise<void> {
  const connected = new Promise<void>((done, fail) => {
    const timer = setTimeout(() => session.destroy(new Error("There was no connection.")), timeoutMs);
    session.once("connect", () => done());
    session.once("error", fail);
    session.once("close", () => fail(new Error("The connection was closed.")));
    const stop = () => clearTimeout(timer);
    session.once("connect", stop).once("close", stop);
  });
  // Each push that waits for it reports it.
  connected.catch(() => undefined);
  return connected;
}

function resultOfReason(status: number, reason: string | undefined): PushOutcome["result"] {
  if (status === 410 || reason === "BadDeviceToken") return "gone";
  // The only one of status 400 that says nothing about the request.
  return reason === "IdleTimeout" ? "failed" : resultOf(status);
}

function toMessage({ payload }: Notification): object {
  const { title, body, ...data } = payload;
  const alert =
    title === undefined ? { body: "New message" } : { title, ...(body !== undefined && { body }) };
  return {
    aps: {
      alert,
      sound: "default",
      // An extension of the app may replace the text, for example by that of the message.
      "mutable-content": 1,
      ...(payload.channel_id !== undefined && { "thread-id": payload.channel_id }),
      ...(payload.unread_count !== undefined && { badge: payload.unread_count }),
    },
    ...data,
  };
}

/** The reason of an error, such as `BadDeviceToken`. */
function readReason(text: string): string | undefined {
  try {
    const { reason } = Object(JSON.parse(text));
    return typeof reason === "string" && /^[A-Za-z]{1,64}$/.test(reason) ? reason : undefined;
  } catch {
    return undefined;
  }
}

function readKey(key: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch {
    throw new SettingError("MADANG_APNS_KEY must be the .p8 file of a key for Apple's push service.");
  }
}
