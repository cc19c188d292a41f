import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { SettingError } from "../../../errors";

/**
 * Creates a file that only its owner can read. It gets its name when it is completely on disk, and no file is
 * overwritten. Returns its size.
 */
export async function writeNewFile(
  file: string,
  write: (target: Writable) => Promise<void>,
): Promise<number> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await write(createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }));
    const { size } = await stat(draft);
    await link(draft, file);
    await syncFolder(dirname(file));
    return size;
  } catch (error) {
    throw explain(error, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "EEXIST")
    return new SettingError(`The file ${file} exists already. Choose another name.`);
  const isOpening = "syscall" in error && error.syscall === "open";
  return isOpening ? new SettingError(`The file ${file} cannot be created: ${error.message}.`) : error;
}

/** Windows cannot open a folder; there the name is on disk soon. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
