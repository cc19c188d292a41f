import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

type Method = "GET" | "PUT";

/** Addresses of the service at which the bytes of a file can be sent or read without a key, until a time. */
export interface FileAddresses {
  make(origin: string, method: Method, fileId: string, expiresAt: number): string;
  /** Whether the service made an address with these parameters, and its time has not come. */
  isValid(
    method: Method,
    fileId: string,
    query: { readonly expires: string; readonly signature: string },
  ): boolean;
}

export function createFileAddresses(secret: Uint8Array, now: () => number): FileAddresses {
  const key = createSecretKey(secret);
  const sign = (method: Method, fileId: string, expires: string) =>
    createHmac("sha256", key).update(`${method} ${fileId} ${expires}`).digest("base64url");
  return {
    make(origin, method, fileId, expiresAt) {
      const expires = String(expiresAt);
      const signature = sign(method, fileId, expires);
      return `${origin}/v1/files/${fileId}/content?expires=${expires}&signature=${signature}`;
    },
    isValid(method, fileId, { expires, signature }) {
      const expected = Buffer.from(sign(method, fileId, expires));
      const sent = Buffer.from(signature);
      return sent.length === expected.length && timingSafeEqual(sent, expected) && Number(expires) > now();
    },
  };
}
