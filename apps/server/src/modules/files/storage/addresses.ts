import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { maxLifetimeMs } from "./storage";

type Method = "GET" | "PUT";

/** Addresses of the service at which the bytes of a file can be sent or read without a key, until a time. */
export interface FileAddresses {
  make(origin: string, method: Method, fileId: string, expiresAt: number): string;
  /** Whether the service made an address with these parameters, and its end is neither past nor later than that of any address. */
  isValid(
    method: Method,
    fileId: string,
    query: { readonly expires: string; readonly signature: string },
  ): boolean;
}

/** The first key signs, and an address signed with any of them is valid. */
export function createFileAddresses(secrets: readonly Uint8Array[], now: () => number): FileAddresses {
  const keys = secrets.map((secret) => createSecretKey(secret));
  const [current] = keys;
  if (current === undefined) throw new Error("There is at least one master key.");
  const sign = (key: KeyObject, method: Method, fileId: string, expires: string) =>
    createHmac("sha256", key).update(`${method} ${fileId} ${expires}`).digest("base64url");
  return {
    make(origin, method, fileId, expiresAt) {
      const expires = String(expiresAt);
      const signature = sign(current, method, fileId, expires);
      return `${origin}/v1/files/${fileId}/content?expires=${expires}&signature=${signature}`;
    },
    isValid(method, fileId, { expires, signature }) {
      const sent = Buffer.from(signature);
      const isSigned = keys.some((key) => {
        const expected = Buffer.from(sign(key, method, fileId, expires));
        return sent.length === expected.length && timingSafeEqual(sent, expected);
      });
      const leftMs = Number(expires) - now();
      return isSigned && leftMs > 0 && leftMs <= maxLifetimeMs + maxClockDifferenceMs;
    },
  };
}

/** Between the clocks of processes. */
const maxClockDifferenceMs = 300_000;
