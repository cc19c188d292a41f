import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { bind } from "../../src/http/listen/bind";

/** What a browser gets and shows of a push. */
export interface ReceivedPush {
  readonly path: string;
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  // The tests assert on the values.
  readonly payload: ReturnType<typeof JSON.parse>;
}

/** A browser that has subscribed: what it registers. */
export interface Subscription {
  readonly path: string;
  readonly device: {
    readonly provider: "webpush";
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
}

export interface PushReceiver {
  readonly url: string;
  /** Every push that arrived, in this order. */
  readonly pushes: ReceivedPush[];
  /** What was wrong with requests. */
  readonly faults: string[];
  subscribe(): Subscription;
  /** What it does next: 201 by default. */
  respond: (push: ReceivedPush, response: ServerResponse) => void;
  /** Without waiting for its end, if it is one. */
  close(): Promise<void>;
}

/** A service of Web Push on loopback, with the browsers behind it: it checks the sender (RFC 8292) and decrypts (RFC 8291). */
export async function startPushReceiver(publicKey?: string): Promise<PushReceiver> {
  const browsers = new Map<string, { readonly ecdh: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  const pushes: ReceivedPush[] = [];
  const faults: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = request.url ?? "";
    const browser = browsers.get(path);
    try {
      if (browser === undefined) throw new Error(`nobody has subscribed at ${path}`);
      checkSender(request.headers, url, publicKey);
      if (request.method !== "POST" || request.headers["content-encoding"] !== "aes128gcm")
        throw new Error("not a push");
      if (!/^[A-Za-z0-9_-]{1,32}$/.test(String(request.headers.topic))) throw new Error("wrong topic");
      if (body.length > 4_096) throw new Error("too long");
      const payload = JSON.parse(decrypt(body, browser.ecdh, browser.auth).toString("utf8"));
      const push = { path, at: Date.now(), headers: request.headers, payload };
      pushes.push(push);
      receiver.respond(push, response);
    } catch (error) {
      faults.push(String(error));
      response.writeHead(400).end();
    }
  });
  const url = await bind(server, { PORT: 0, HOST: "127.0.0.1" });
  const receiver: PushReceiver = {
    url,
    pushes,
    faults,
    subscribe() {
      const ecdh = createECDH("prime256v1");
      const p256dh = ecdh.generateKeys("base64url");
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(8).toString("hex")}`;
      browsers.set(path, { ecdh, auth });
      const keys = { p256dh, auth: auth.toString("base64url") };
      return { path, device: { provider: "webpush", endpoint: url + path, keys } };
    },
    respond: (_push, response) => void response.writeHead(201).end(),
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return receiver;
}

/** Throws unless the request is signed for this service by the key that it names. */
function checkSender(headers: IncomingHttpHeaders, origin: string, expected: string | undefined): void {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? "") ?? [];
  if (expected !== undefined && publicKey !== expected) throw new Error("another key");
  const [header = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const x = point.subarray(1, 33).toString("base64url");
  const y = point.subarray(33).toString("base64url");
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")))
    throw new Error("wrong signature");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const now = Date.now() / 1_000;
  if (aud !== new URL(origin).origin || exp < now || exp > now + 86_400 || !/^mailto:|^https:/.test(sub))
    throw new Error("wrong claims");
}

/** Decrypts one record of `aes128gcm`. */
export function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
  const record = body.subarray(21 + senderKey.length);
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const derive = (secret: ArrayBuffer | Buffer, salted: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync("sha256", Buffer.from(secret as ArrayBuffer), salted, info, length));
  const shared = derive(ecdh.computeSecret(senderKey), auth, about, 32);
  const key = derive(shared, salt, "Content-Encoding: aes128gcm\0", 16);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    key,
    derive(shared, salt, "Content-Encoding: nonce\0", 12),
  );
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("wrong padding");
  return padded.subarray(0, end);
}
