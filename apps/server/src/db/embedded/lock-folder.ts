import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

export class FolderInUseError extends Error {}

/**
 * Makes this process the only one that uses a data folder, and returns a function that ends this. The lock is that of an
 * empty SQLite database in a transaction: the operating system ends it with the process, however that ends, and it also
 * holds between containers, where a process id says nothing about another one's processes.
 */
export function lockFolder(folder: string): () => void {
  const database = new DatabaseSync(join(folder, "lock"));
  try {
    // Without a journal on disk: nothing is ever written.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new FolderInUseError(
      `The data folder ${folder} is in use by another process, perhaps in another container. Stop that one, or set another folder with MADANG_DATA_DIR.`,
    );
  }
  return () => database.close();
}

/** The same for a cluster outside its folder: a copy of the folder has the same link. */
export const lockOutside = (folder: string, data: string): (() => void) =>
  dirname(data) === resolve(folder) ? () => undefined : lockFolder(dirname(data));

const busyCode = 5;
const isBusy = (error: unknown) => error instanceof Error && "errcode" in error && error.errcode === busyCode;
