/**
 * A random id of 36 characters, a UUID of version 4: for `external_id`, idempotency keys and ids of channels. Unlike `crypto.randomUUID`, it also
 * works on pages without HTTPS, such as `http://192.168.0.7`, and in React Native, which has no `crypto`.
 *
 * @example const external_id = createRandomId();
 */
export function createRandomId(): string {
  // It takes about a tenth of the time.
  return typeof crypto !== "undefined" && "randomUUID" in crypto ? crypto.randomUUID() : createUuid();
}

function createUuid(): string {
  const bytes = createBytes(new Uint8Array(16));
  const version = 0x40 | ((bytes[6] ?? 0) & 0x0f);
  const variant = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  bytes.set([version], 6);
  bytes.set([variant], 8);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** An id has to be unique, and need not be secret: `Math.random` will do where there is nothing better. */
const createBytes = (bytes: Uint8Array<ArrayBuffer>): Uint8Array =>
  typeof crypto === "undefined"
    ? bytes.map(() => Math.floor(Math.random() * 256))
    : crypto.getRandomValues(bytes);
