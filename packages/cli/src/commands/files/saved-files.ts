import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashFile } from "../../data/files/manifest";

/** A file of a message, as an export has it. */
export interface ExportedAttachment {
  readonly file_id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** The folder of the bytes, below the folder of an export. Each file has its id as its name. */
export const filesFolder = "files";
const sumsName = "SHA256SUMS";

/** An id leads out of no folder. */
const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The files of the row of a message. */
export function attachmentsOf(row: Readonly<Record<string, unknown>>): ExportedAttachment[] {
  const { attachments } = row;
  return Array.isArray(attachments) ? attachments.filter((file) => idPattern.test(Object(file).file_id)) : [];
}

export const savedPath = (dir: string, { file_id }: Pick<ExportedAttachment, "file_id">) =>
  join(dir, filesFolder, file_id);

/** Whether the bytes of a file are there. */
export async function isSaved(dir: string, file: ExportedAttachment): Promise<boolean> {
  const found = await stat(savedPath(dir, file)).catch(() => undefined);
  return found?.size === file.size;
}

/**
 * Writes bytes under a temporary name: only whole files have their own. Returns false if they are more or fewer than the file has:
 * then nothing of them stays, and no more than that is written.
 */
export async function saveFile(
  dir: string,
  attachment: ExportedAttachment,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const path = savedPath(dir, attachment);
  let size = 0;
  async function* upToSize() {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > attachment.size) return;
      yield chunk;
    }
  }
  try {
    await writeFile(`${path}.part`, upToSize(), { flush: true });
    if (size === attachment.size) await rename(`${path}.part`, path);
  } finally {
    await rm(`${path}.part`, { force: true });
  }
  return size === attachment.size;
}

/** Lists the saved files with their SHA-256, in the format of `sha256sum`. Returns how many there are, and their size. */
export async function writeSums(dir: string): Promise<{ files: number; bytes: number }> {
  const names = (await readdir(join(dir, filesFolder))).filter(
    (name) => idPattern.test(name) && name !== sumsName,
  );
  const lines: string[] = [];
  let bytes = 0;
  for (const name of names.sort()) {
    const path = join(dir, filesFolder, name);
    lines.push(`${await hashFile(path)}  ${name}\n`);
    bytes += (await stat(path)).size;
  }
  await writeFile(join(dir, filesFolder, sumsName), lines.join(""));
  return { files: names.length, bytes };
}

/** What is wrong with the saved files, a sentence each. */
export async function checkSums(dir: string, count: number): Promise<string[]> {
  const text = await readFile(join(dir, filesFolder, sumsName), "utf8").catch(() => undefined);
  if (text === undefined) return [`${filesFolder}/${sumsName}: the file is missing.`];
  const lines = text.split("\n").filter(Boolean);
  const problems: string[] = [];
  if (lines.length !== count)
    problems.push(`${filesFolder}/${sumsName}: the file names ${lines.length} files, and named ${count}.`);
  for (const line of lines) {
    const [, sum, name = ""] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    const found =
      idPattern.test(name) && (await hashFile(join(dir, filesFolder, name)).catch(() => undefined));
    if (!found) problems.push(`${filesFolder}/${name}: the file is missing.`);
    else if (found !== sum)
      problems.push(`${filesFolder}/${name}: the content was changed: its SHA-256 differs.`);
  }
  return problems;
}
