import type pg from "pg";

type Settle = (error: Error | null, bytes: Buffer) => void;

/**
 * Reads the rows of a query as the bytes of PostgreSQL's binary COPY format. For results of many rows: as objects each
 * field would be decoded into a string of its own, which at a thousand rows is most of what they cost.
 */
export class CopyQuery implements pg.Submittable {
  // `pg` replaces it to watch the time.
  callback: Settle;
  readonly #select: string;
  #bytes: Buffer;
  #length = 0;

  /** `usualBytes` is the memory to begin with; it grows when the rows are larger. */
  constructor(select: string, usualBytes: number, callback: Settle) {
    this.#select = select;
    this.#bytes = Buffer.allocUnsafe(usualBytes);
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    connection.query(`COPY (${this.#select}) TO STDOUT (FORMAT binary)`);
  }

  /** Taken over at once: `pg` uses the memory of a piece again for the next one. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#length + chunk.length > this.#bytes.length) this.#grow(chunk.length);
    this.#length += chunk.copy(this.#bytes, this.#length);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#bytes.subarray(0, this.#length));
  }

  handleError(error: Error): void {
    this.callback(error, this.#bytes);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + needed));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
