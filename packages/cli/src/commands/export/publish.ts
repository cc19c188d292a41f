import { copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LineWriter } from "../../data/files/line-writer";
import { type ExportedFile, hashFile } from "../../data/files/manifest";
import type { Row } from "../../data/tables/column";
import { byteOrderMark, formatCsvHeader, formatCsvRow } from "../../data/tables/csv";
import { writeParquet } from "../../data/tables/parquet";
import { type Format, readRows } from "../../data/tables/read-rows";
import { type Kind, tables } from "../../data/tables/tables";
import type { Checkpoint, Journal } from "./journal";
import { exists, spoolPath } from "./spool";

/** Of about 256 KB of NDJSON each. */
const batchesPerGroup = 4;

export interface PublishOptions {
  readonly dir: string;
  readonly format: Format;
  readonly hasByteOrderMark: boolean;
}

export interface Published {
  /** `users`, or `messages/room_1`. */
  readonly name: string;
  readonly kind: Kind;
  readonly channelId?: string;
  readonly checkpoint: Checkpoint;
}

/** Converts the rows of a list to their format and gives the file its final name. Only whole files have one. */
export async function publish(
  journal: Journal,
  { dir, format, hasByteOrderMark }: PublishOptions,
  { name, kind, channelId, checkpoint }: Published,
): Promise<ExportedFile> {
  const earlier = journal.fileOf(name);
  if (earlier !== undefined) return earlier;
  const path = `${name}.${format}`;
  const target = join(dir, path);
  const source = spoolPath(dir, name);
  // Messages are the bulk: their NDJSON is moved, not copied.
  const isMoved = format === "ndjson" && kind === "messages";
  const finished = isMoved ? source : `${source}.part`;
  await mkdir(dirname(target), { recursive: true });
  // A kill between the renaming and the entry of the journal leaves the file under its final name.
  if (!isMoved || (await exists(source))) {
    if (format === "ndjson" && !isMoved) await copyFile(source, finished);
    if (format === "csv") await writeCsv(source, finished, kind, hasByteOrderMark);
    if (format === "parquet") await writeParquet(finished, tables[kind], inGroups(readRows(source, kind)));
    await sync(finished);
    await rename(finished, target);
  }
  const file: ExportedFile = {
    path,
    kind,
    ...(channelId !== undefined && { channel_id: channelId }),
    rows: checkpoint.rows,
    bytes: (await stat(target)).size,
    sha256: await hashFile(target),
    ...(checkpoint.firstId !== undefined && { first_id: checkpoint.firstId }),
    ...(checkpoint.lastId !== undefined && { last_id: checkpoint.lastId }),
  };
  await journal.add({ name, file });
  if (kind === "messages") await removeSpool(dir, name);
  return file;
}

export async function removeSpool(dir: string, name: string): Promise<void> {
  await rm(spoolPath(dir, name), { force: true });
}

async function writeCsv(source: string, target: string, kind: Kind, hasMark: boolean): Promise<void> {
  const columns = tables[kind];
  function* format(rows: readonly Row[]): Generator<string> {
    for (const row of rows) yield formatCsvRow(columns, row);
  }
  const file = await open(target, "w");
  try {
    const writer = new LineWriter(file);
    await writer.write([`${hasMark ? byteOrderMark : ""}${formatCsvHeader(columns)}`]);
    for await (const rows of readRows(source, kind)) await writer.write(format(rows));
  } finally {
    await file.close();
  }
}

/** As many batches as a row group has. A batch is a part of a file, so that long messages take no more memory than short ones. */
async function* inGroups(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row[]> {
  let group: Row[] = [];
  let size = 0;
  for await (const rows of batches) {
    group.push(...rows);
    size += 1;
    if (size < batchesPerGroup) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
