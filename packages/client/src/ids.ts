import { sha256 } from "@noble/hashes/sha2.js";
import { ValidationError } from "./errors/errors";

const prefix = "b32_";
const hashPrefix = "sha_";
const digits = "abcdefghijklmnopqrstuvwxyz234567";
// As many as 80 characters hold.
const maxBytes = 47;

/**
 * Ids of users and channels for names that are not valid ids, such as e-mail addresses, UUIDs and `김민수`.
 *
 * @example console.log(ids.encode("김민수"), ids.decode("b32_5k4yb25pxtwirga"));
 */
export const ids = {
  /**
   * The id for a name: the name itself if it is a valid id, otherwise `b32_` and its UTF-8 bytes in Base32, or for a name
   * of more than 47 bytes `sha_` and its SHA-256 in Base32. Different names have different ids. Throws `ValidationError`
   * for an empty name.
   *
   * @param name Any text. `decode` returns a name of at most 47 bytes in UTF-8, e.g. 47 letters or 15 syllables of Hangul.
   * @example await chat.users.create({ user_id: ids.encode("kim@example.com"), name: "Kim" });
   */
  encode(name: string): string {
    const id = toId(name);
    if (id !== undefined) return id;
    throw new ValidationError("", "A name must be well-formed text of at least 1 character.");
  },

  /**
   * The name for an id that `encode` returned. Throws `ValidationError` for any other id, and for the id of a name of more
   * than 47 bytes, which is a hash: keep such names yourself, in `name` or `meta`.
   *
   * @param id The id of a user or channel.
   * @example for await (const user of chat.users.list()) console.log(ids.decode(user.user_id));
   */
  decode(id: string): string {
    const name = id.startsWith(prefix) ? fromBase32(id.slice(prefix.length)) : id;
    if (toId(name) === id) return name;
    throw new ValidationError(
      "",
      id.startsWith(hashPrefix)
        ? "The id is a hash, from which its name cannot be found."
        : "The id is not one of ids.encode.",
    );
  },
};

function toId(name: string): string | undefined {
  if (/^(?!b32_|sha_)[a-z0-9_]{4,80}$/.test(name)) return name;
  const bytes = new TextEncoder().encode(name);
  if (name === "" || toText(bytes) !== name) return undefined;
  return bytes.length > maxBytes ? hashPrefix + toBase32(sha256(bytes)) : prefix + toBase32(bytes);
}

function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const toDigit = (five: string) => digits.charAt(Number.parseInt(five.padEnd(5, "0"), 2));
  return bits.replace(/.{1,5}/g, toDigit);
}

function fromBase32(text: string): string {
  const toBits = (digit: string) => digits.indexOf(digit).toString(2).padStart(5, "0");
  const bytes = Array.from(text, toBits).join("").match(/.{8}/g) ?? [];
  return toText(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)));
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
