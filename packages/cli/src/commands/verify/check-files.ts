import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type ExportedFile, hashFile, type Manifest } from "../../data/files/manifest";
import { readRows } from "../../data/tables/read-rows";
import { idFields } from "../../data/tables/tables";

/** What is wrong with the files of an export, a sentence each. */
export async function checkFiles(dir: string, { files }: Manifest, onFile: () => void): Promise<string[]> {
  const problems: string[] = [];
  for (const file of files) {
    const problem = await findProblem(dir, file);
    if (problem !== undefined) problems.push(`${file.path}: ${problem}`);
    onFile();
  }
  return problems;
}

async function findProblem(dir: string, file: ExportedFile): Promise<string | undefined> {
  const path = join(dir, file.path);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return "the file is missing.";
  if (found.size !== file.bytes) return `the file has ${found.size} bytes, and had ${file.bytes}.`;
  if ((await hashFile(path)) !== file.sha256) return "the content was changed: its SHA-256 differs.";
  return findWrongRows(path, file);
}

/** A whole file can still be one that the export wrote wrongly. */
async function findWrongRows(path: string, file: ExportedFile): Promise<string | undefined> {
  const idField = idFields[file.kind];
  let count = 0;
  let first: unknown;
  let last: unknown;
  for await (const rows of readRows(path, file.kind)) {
    if (count === 0) first = rows[0]?.[idField];
    count += rows.length;
    last = rows.at(-1)?.[idField] ?? last;
  }
  if (count !== file.rows) return `the file has ${count} rows, and had ${file.rows}.`;
  if (first !== file.first_id || last !== file.last_id) return "its first or last row is another one.";
  return undefined;
}
