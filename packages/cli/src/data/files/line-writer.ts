import type { FileHandle } from "node:fs/promises";

/**
 * Appends lines to a file through one buffer. A new one for each page would be garbage outside of the heap, of which Node
 * collects much at a time.
 */
export class LineWriter {
  readonly #file: FileHandle;
  #buffer = Buffer.allocUnsafe(1 << 17);
  #used = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Writes all lines and returns their number of bytes. */
  async write(lines: Iterable<string>): Promise<number> {
    let written = 0;
    for (const line of lines) {
      // A unit of a string has at most three bytes.
      const maxBytes = 3 * line.length;
      if (this.#used + maxBytes > this.#buffer.length) written += await this.#flush();
      if (maxBytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(maxBytes);
      this.#used += this.#buffer.write(line, this.#used);
    }
    return written + (await this.#flush());
  }

  async #flush(): Promise<number> {
    const bytes = this.#used;
    let at = 0;
    while (at < bytes) at += (await this.#file.write(this.#buffer, at, bytes - at)).bytesWritten;
    this.#used = 0;
    return bytes;
  }
}
