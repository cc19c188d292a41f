import { createCipheriv, createECDH, type ECDH, hkdfSync } from "node:crypto";

/** The keys of a subscription. */
export interface SubscriptionKeys {
  /** A point of P-256, 65 bytes. */
  readonly p256dh: Buffer;
  /** 16 bytes. */
  readonly auth: Buffer;
}

/** New for each message. */
export interface MessageKeys {
  readonly salt: Buffer;
  readonly sender: ECDH;
}

const recordSize = 4_096;
const headerLength = 16 + 4 + 1 + 65;
const tagLength = 16;
/** What a push service accepts in any case is a body of 4,096 bytes. */
export const maxPayloadBytes = recordSize - headerLength - tagLength - 1;

/** Whether it is a point of the curve: of another one, no key can be agreed on. */
export function isPublicKey(key: Buffer): boolean {
  try {
    const ecdh = createECDH("prime256v1");
    ecdh.generateKeys();
    ecdh.computeSecret(key);
    return true;
  } catch {
    return false;
  }
}

/** Encrypts a payload for a subscription (RFC 8291), as one record of `aes128gcm` (RFC 8188). */
export function encryptPayload(
  payload: Buffer,
  { p256dh, auth }: SubscriptionKeys,
  { salt, sender }: MessageKeys,
): Buffer {
  const senderKey = sender.getPublicKey();
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, senderKey]);
  const shared = derive(sender.computeSecret(p256dh), auth, about, 32);
  const key = derive(shared, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(shared, salt, "Content-Encoding: nonce\0", 12);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The delimiter of the last record.
  const record = Buffer.concat([payload, Buffer.from([2])]);
  return Buffer.concat([
    salt,
    size,
    Buffer.from([senderKey.length]),
    senderKey,
    cipher.update(record),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const derive = (secret: Buffer, salt: Buffer, about: Buffer | string, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, about, length));
