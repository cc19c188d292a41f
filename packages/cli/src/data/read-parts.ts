import { open } from "node:fs/promises";

/** A range of a file, in bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const partBytes = 1 << 18;

/** A file or a range of it, part by part. The parts share one buffer: each is valid until the next one is asked for. */
export async function* readParts(path: string, range?: Range): AsyncGenerator<Buffer, undefined> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(partBytes);
    const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY };
    for (let at = start; at < end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(partBytes, end - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
