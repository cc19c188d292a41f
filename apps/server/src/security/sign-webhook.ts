import { createHmac } from "node:crypto";

/** The signatures of a delivery by Standard Webhooks 1.0, one for each secret. `timestamp` is in seconds. */
export function signWebhook(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return signed.join(" ");
}
