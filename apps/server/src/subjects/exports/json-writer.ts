import type { Span } from "../../db/copied-rows";

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

/** Puts JSON together as bytes, in one piece of memory that grows as needed. */
export class JsonWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(usualBytes: number) {
    this.#bytes = Buffer.allocUnsafe(usualBytes);
  }

  /** Text that is JSON already and holds no character beyond ASCII. */
  ascii(text: string): void {
    this.#makeRoom(text.length);
    this.#length += this.#bytes.write(text, this.#length, "latin1");
  }

  /** Bytes that are JSON already. */
  raw(source: Buffer, { start, end }: Span): void {
    this.#makeRoom(end - start);
    this.#length += source.copy(this.#bytes, this.#length, start, end);
  }

  /** UTF-8 as a JSON string. Only what JSON forbids is escaped, as `JSON.stringify` does. */
  string(source: Buffer, { start, end }: Span): void {
    this.#makeRoom((end - start) * longestEscape + 2);
    const bytes = this.#bytes;
    let length = this.#length;
    bytes[length++] = quote;
    for (let place = start; place < end; place++) {
      const byte = source[place] ?? 0;
      if (byte < firstPrintable || byte === quote || byte === backslash) {
        length += bytes.write(escapeOf(byte), length, "latin1");
      } else bytes[length++] = byte;
    }
    bytes[length++] = quote;
    this.#length = length;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #makeRoom(needed: number): void {
    if (this.#length + needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + needed));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** A control character becomes six characters at most. */
const longestEscape = 6;

const escapeOf = (byte: number) => JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
