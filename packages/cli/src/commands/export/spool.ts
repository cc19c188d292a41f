import { mkdir, open, stat, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LineWriter } from "../../data/files/line-writer";
import type { Row } from "../../data/tables/column";
import type { Progress } from "../../terminal/progress";
import type { Checkpoint, Journal } from "./journal";

/** A page of a list, and where the list continues. */
export interface SpoolPage {
  readonly rows: readonly Row[];
  readonly cursor: string | undefined;
}

/** The folder of an unfinished export, below the folder of the export. */
export const workFolder = ".madang-export";

export const spoolPath = (dir: string, name: string) => join(dir, workFolder, `${name}.ndjson`);

/** Whether there is a file or a folder. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Writes the pages of a list as NDJSON, and a checkpoint after each. After a kill it continues with the cursor of the last
 * checkpoint: what was written after it is cut off and fetched again.
 */
export async function spool(
  journal: Journal,
  { dir, name, idField }: { readonly dir: string; readonly name: string; readonly idField: string },
  list: (cursor: string | undefined) => AsyncIterable<SpoolPage>,
  progress: Progress,
): Promise<Checkpoint> {
  const path = spoolPath(dir, name);
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "a");
  try {
    // After a power failure the file may lack what the journal lists.
    const { size } = await file.stat();
    const known = journal.checkpointOf(name);
    let checkpoint: Checkpoint = known === undefined || size < known.bytes ? { bytes: 0, rows: 0 } : known;
    progress.resume(checkpoint.rows);
    if (checkpoint.isEnded) return checkpoint;
    await truncate(path, checkpoint.bytes);
    const writer = new LineWriter(file);
    for await (const { rows, cursor } of list(checkpoint.cursor)) {
      const bytes = await writer.write(formatLines(rows));
      checkpoint = advance(checkpoint, bytes, rows, idField, cursor);
      await journal.add({ name, checkpoint });
      progress.add(rows.length);
    }
    return checkpoint;
  } finally {
    await file.close();
  }
}

function* formatLines(rows: readonly Row[]): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

function advance(
  { bytes, rows, firstId, lastId }: Checkpoint,
  addedBytes: number,
  added: readonly Row[],
  idField: string,
  cursor: string | undefined,
): Checkpoint {
  const first = firstId ?? idOf(added[0], idField);
  const last = idOf(added.at(-1), idField) ?? lastId;
  return {
    bytes: bytes + addedBytes,
    rows: rows + added.length,
    ...(first !== undefined && { firstId: first }),
    ...(last !== undefined && { lastId: last }),
    ...(cursor === undefined ? { isEnded: true as const } : { cursor }),
  };
}

function idOf(row: Row | undefined, idField: string): string | undefined {
  const id = row?.[idField];
  return typeof id === "string" ? id : undefined;
}
