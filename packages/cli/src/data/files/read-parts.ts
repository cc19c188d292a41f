import { type FileHandle, open, stat } from "node:fs/promises";
import { CommandError } from "../../terminal/exit-codes";

/** Opens a file for reading. To open a pipe would wait until another program writes to it. */
export async function openFile(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new CommandError(`${path} is not a regular file.`);
  return open(path);
}

const partBytes = 1 << 18;

/** A file part by part. The parts share one buffer: each is valid until the next one is asked for. */
export async function* readParts(path: string): AsyncGenerator<Buffer, undefined> {
  const file = await openFile(path);
  try {
    const buffer = Buffer.allocUnsafe(partBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, partBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
