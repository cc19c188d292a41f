/** The format of the archives that PostgreSQL makes of a cluster: ustar. */

export interface TarEntry {
  readonly name: string;
  readonly type: "file" | "folder";
  readonly mode: number;
  readonly size: number;
  /** The content of a file. It must be read before the next entry. */
  readonly content: AsyncIterable<Buffer>;
}

const blockBytes = 512;
/** An archive ends with two empty blocks. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** A small file as an archive contains it. */
export function createTarFile(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8) + octal(0, 8), 108);
  header.write(octal(content.length, 12) + octal(0, 12), 124);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\0" + "00", 257);
  header.write(`${sumOf(header).toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
}

/** The entries of an archive, in its order. Throws for one that is damaged or ends too early. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const header = await bytes.read(blockBytes);
    if (header.every((byte) => byte === 0)) return bytes.drain();
    const entry = parseHeader(header);
    let isRead = false;
    const content = async function* () {
      isRead = true;
      for (let rest = entry.size; rest > 0; ) {
        const chunk = await bytes.readSome(rest);
        rest -= chunk.length;
        yield chunk;
      }
    };
    yield { ...entry, content: { [Symbol.asyncIterator]: content } };
    if (!isRead) for await (const _ of content());
    await bytes.read(paddingOf(entry.size));
  }
}

function parseHeader(header: Buffer): Omit<TarEntry, "content"> {
  const text = (start: number, length: number) =>
    header.toString("utf8", start, start + length).replace(/\0[\s\S]*$/, "");
  const checked = Buffer.from(header);
  checked.fill(" ", 148, 156);
  const name = text(0, 100);
  const type = text(156, 1);
  if (Number.parseInt(text(148, 8), 8) !== sumOf(checked)) throw new Error("A header is damaged.");
  if (type !== "0" && type !== "5") throw new Error(`The entry ${name} has the unknown type ${type}.`);
  if (name.startsWith("/") || name.split("/").includes(".."))
    throw new Error(`The entry ${name} is outside the archive.`);
  return {
    name,
    type: type === "5" ? "folder" : "file",
    mode: Number.parseInt(text(100, 8), 8),
    size: type === "5" ? 0 : Number.parseInt(text(124, 12), 8),
  };
}

const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0);
const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

/** Bytes from chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let rest = length; rest > 0; ) {
      const part = await this.readSome(rest);
      parts.push(part);
      rest -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** At least one byte, at most `limit`. */
  async readSome(limit: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw new Error("It ends too early.");
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(limit);
    return part;
  }

  /** Reads to the end of the source, which checks itself there. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
