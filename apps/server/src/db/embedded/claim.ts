import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export class FolderInUseError extends Error {}

/**
 * Makes this process the owner of a data folder, and returns a function that releases it. `lock` is a directory that
 * contains one file, named after the owner. A directory can only be renamed to one that is empty or does not exist, so
 * one of several processes succeeds. The file of a killed owner is removed by its name, which no other owner has.
 */
export async function claim(lock: string): Promise<() => Promise<void>> {
  const owner = `${process.pid}-${randomUUID()}`;
  const prepared = `${lock}.${owner}`;
  await mkdir(prepared);
  await writeFile(join(prepared, owner), "");
  own.add(owner);
  try {
    while (!(await move(prepared, lock))) await removeDeadOwner(lock);
  } catch (error) {
    own.delete(owner);
    await rm(prepared, { recursive: true });
    throw error;
  }
  return async () => {
    own.delete(owner);
    await rm(join(lock, owner), { force: true });
    await removeIfEmpty(lock);
  };
}

/** The claims of this process. Any other file with its id is from an earlier process with the same id. */
const own = new Set<string>();

async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isOccupied(codeOf(error))) return false;
    throw error;
  }
}

// Windows reports an existing directory as a lack of permission.
const isOccupied = (code: unknown) =>
  code === "ENOTEMPTY" || code === "EEXIST" || (code === "EPERM" && process.platform === "win32");

async function removeDeadOwner(lock: string): Promise<void> {
  for (const owner of await list(lock)) {
    const pid = Number.parseInt(owner, 10);
    if (pid === process.pid ? own.has(owner) : isRunning(pid))
      throw new FolderInUseError(
        `The data folder is in use by process ${pid}. Stop it, or set another folder with MADANG_DATA_DIR.`,
      );
    await rm(join(lock, owner), { force: true });
  }
  await removeIfEmpty(lock);
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

const removeIfEmpty = (folder: string) => rmdir(folder).catch(() => undefined);

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === "EPERM";
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);
