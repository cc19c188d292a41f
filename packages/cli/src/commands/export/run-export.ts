import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ChatClient } from "@madang/client";
import {
  type ExportedFile,
  type Manifest,
  manifestPath,
  readManifest,
  writeManifest,
} from "../../data/files/manifest";
import { idFields, kinds } from "../../data/tables/tables";
import { UsageError } from "../../terminal/exit-codes";
import type { Io } from "../../terminal/io";
import { startProgress } from "../../terminal/progress";
import { downloadFiles, startFileProgress } from "../files/download-files";
import { filesFolder, writeSums } from "../files/saved-files";
import type { ExportContext, ExportOptions } from "./context";
import { exportMessages } from "./export-messages";
import { Journal } from "./journal";
import { listsOf } from "./lists";
import { lockFolder } from "./lock-folder";
import { type Published, publish } from "./publish";
import { exists, spool, workFolder } from "./spool";

/** Exports into a folder. Called again with the same options after an interruption, it continues. */
export async function runExport(
  chat: ChatClient,
  io: Io,
  options: ExportOptions,
  note: (text: string) => void,
): Promise<Manifest> {
  const { dir } = options;
  const folder = join(dir, workFolder);
  if ((await readManifest(dir)) !== undefined && !(await exists(folder)))
    throw new UsageError(
      `${manifestPath(dir)} exists: the folder has a finished export. Choose another folder.`,
    );
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    if (Object(error).code === "ENOTDIR") throw new UsageError(`${dir} is not a folder.`);
    throw error;
  });
  const release = await lockFolder(
    folder,
    `Another madang export is writing to ${dir}. Wait until it ends, or choose another folder.`,
  );
  try {
    // The one that had the lock finished, or was killed after it had written the manifest: only the folder is left.
    const manifest = (await readManifest(dir)) ?? (await exportToFolder(chat, io, options, note));
    await rm(folder, { recursive: true, force: true });
    return manifest;
  } finally {
    await release();
  }
}

async function exportToFolder(
  chat: ChatClient,
  io: Io,
  options: ExportOptions,
  note: (text: string) => void,
): Promise<Manifest> {
  const { dir, server, channels, format, hasByteOrderMark, range, hasFiles, hasOwn } = options;
  const identity = {
    version: 1,
    server,
    channels,
    format,
    hasByteOrderMark,
    range,
    ...(hasFiles && { hasFiles }),
    ...(hasOwn && { hasOwn }),
  };
  const journal = await Journal.open(join(dir, workFolder, "journal"), identity);
  try {
    const callOptions = { signal: io.signal };
    const files = await exportFiles({ chat, io, callOptions, options, journal, note });
    const manifest: Manifest = {
      version: 1,
      format,
      server,
      ...(channels && { channels }),
      ...range,
      exported_at: options.now(),
      files,
      missing_channels: journal.missing,
      ...(hasFiles && { attachments: await writeSums(dir) }),
    };
    await writeManifest(dir, manifest);
    return manifest;
  } finally {
    await journal.close();
  }
}

async function exportFiles(context: ExportContext): Promise<ExportedFile[]> {
  const { journal, options } = context;
  const { dir } = options;
  // Conversions hold the rows of a row group: one at a time, so that the memory does not grow with the concurrency.
  let turn: Promise<unknown> = Promise.resolve();
  const publishInTurn = (published: Omit<Published, "checkpoint">): Promise<ExportedFile> => {
    const checkpoint = journal.checkpointOf(published.name) ?? { bytes: 0, rows: 0 };
    const result = turn.then(() => publish(journal, options, { ...published, checkpoint }));
    turn = result.catch(() => undefined);
    return result;
  };

  const lists = new Map(listsOf(context));
  for (const [kind, list] of lists) {
    if (journal.fileOf(kind)) continue;
    const progress = startProgress(context.io, kind, undefined);
    const spooled = spool(journal, { dir, name: kind, idField: idFields[kind] }, list, progress);
    await spooled.finally(() => progress.end());
  }
  // Also without a message that has one.
  if (options.hasFiles) await mkdir(join(dir, filesFolder), { recursive: true });
  const saving = options.hasFiles ? startFileProgress(context) : undefined;
  const messages = await exportMessages(context, publishInTurn, async (name) => {
    if (saving) await downloadFiles(context, name, saving);
  }).finally(() => saving?.end());
  const files: ExportedFile[] = [];
  for (const kind of kinds.filter((each) => lists.has(each)))
    files.push(await publishInTurn({ name: kind, kind }));
  return [...files, ...messages];
}
