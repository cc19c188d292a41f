import { type Db, mergePages, readSchemas, type Statement } from "../../db/db";
import type { Storage, StoredBytes } from "./storage/storage";

/** A file for which the storage and the table differ. */
interface Difference {
  readonly fileId: string;
  /** `left over`: bytes without a row, or an entry that is no file. */
  readonly kind: "missing" | "wrong size" | "left over";
}

interface ListedFile {
  readonly fileId: string;
  readonly size: number;
  /** Whether it has to have bytes. */
  readonly isReady: boolean;
}

const filesPerRead = 1_000;

/**
 * Compares the storage with the table. Both are read in the order of the ids, so that any number of files needs little memory. What
 * changes meanwhile is looked at again, and reported only if it still differs.
 */
export async function* compareFiles(db: Db, storage: Storage): AsyncGenerator<Difference> {
  const stored = storage.list()[Symbol.asyncIterator]();
  let bytes = await stored.next();
  for await (const file of listFiles(db)) {
    for (; !bytes.done && bytes.value.fileId < file.fileId; bytes = await stored.next())
      yield* checkLeftOver(db, bytes.value);
    if (!bytes.done && bytes.value.fileId === file.fileId) {
      if (file.isReady && bytes.value.size !== file.size) yield { fileId: file.fileId, kind: "wrong size" };
      bytes = await stored.next();
    } else if (file.isReady) yield* checkMissing(db, storage, file);
  }
  for (; !bytes.done; bytes = await stored.next()) yield* checkLeftOver(db, bytes.value);
}

async function* checkLeftOver(db: Db, { fileId }: StoredBytes): AsyncGenerator<Difference> {
  if ((await findRow(db, fileId)) === undefined) yield { fileId, kind: "left over" };
}

async function* checkMissing(
  db: Db,
  storage: Storage,
  { fileId, size }: ListedFile,
): AsyncGenerator<Difference> {
  const stored = await storage.sizeOf(fileId);
  if (stored === size || !(await findRow(db, fileId))?.isReady) return;
  yield { fileId, kind: stored === undefined ? "missing" : "wrong size" };
}

/** All files of the table, in the order of their ids. */
async function* listFiles(db: Db): AsyncGenerator<ListedFile> {
  let after = "";
  for (;;) {
    const found = await readSchemas(db, list, [after, filesPerRead]);
    const page = mergePages(found, (one, other) => (one.fileId < other.fileId ? -1 : 1), filesPerRead);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.fileId;
  }
}

async function findRow(db: Db, fileId: string): Promise<ListedFile | undefined> {
  for (const schema of db.schemas()) {
    const [row] = await schema.query(find, [fileId]);
    if (row !== undefined) return row;
  }
  return undefined;
}

const columns = `file_id AS "fileId", size, status = 'ready' AS "isReady"`;

const list: Statement<ListedFile> = {
  name: "files.list",
  text: `SELECT ${columns} FROM files WHERE file_id COLLATE "C" > $1 ORDER BY file_id COLLATE "C" LIMIT $2`,
};

const find: Statement<ListedFile> = {
  name: "files.find-row",
  text: `SELECT ${columns} FROM files WHERE file_id = $1`,
};
