import { createHash } from "node:crypto";

/** What a device gets: the fields of the payload, as the API documents them. */
export type Payload = Readonly<Record<string, string | number>> & { readonly type: string };

/** A payload for a device. A later one with the same topic replaces it where it is shown. */
export interface Notification {
  readonly payload: Payload;
  readonly topic: string;
}

/** How long a push service keeps what it cannot deliver. */
export const ttlSeconds = 86_400;

/** Push services accept 32 characters of base64url. */
export const topicOf = (name: string): string =>
  createHash("sha256").update(name).digest("base64url").slice(0, 32);

const maxBodyCharacters = 300;

/** The text that is shown of a content: the beginning of a long one. */
export function shorten(content: string, max = maxBodyCharacters): string {
  // The first characters are enough: a content may be very long.
  const characters = [...content.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : content;
}

/** The largest notification that fits, by shortening the body. The other fields have limits that fit. */
export function fit<Message>(
  { payload, topic }: Notification,
  maxBytes: number,
  format: (notification: Notification) => Message,
): string {
  for (let length = maxBodyCharacters; ; length = Math.floor(length / 2)) {
    const { body, ...others } = payload;
    const shown = typeof body === "string" && length > 1 ? { body: shorten(body, length) } : {};
    const text = JSON.stringify(format({ payload: { ...others, type: payload.type, ...shown }, topic }));
    if (Buffer.byteLength(text) <= maxBytes || length <= 1) return text;
  }
}
