import { isChatError } from "@madang/client";
import { readRows } from "../../data/tables/read-rows";
import { CommandError } from "../../terminal/exit-codes";
import { type Progress, startProgress } from "../../terminal/progress";
import type { ExportContext } from "../export/context";
import { spoolPath } from "../export/spool";
import { attachmentsOf, type ExportedAttachment, isSaved, saveFile } from "./saved-files";

/** Saves the files of the exported messages of a channel. Those that are there already are not fetched again. */
export async function downloadFiles(context: ExportContext, name: string, progress: Progress): Promise<void> {
  const { dir } = context.options;
  for await (const rows of readRows(spoolPath(dir, name), "messages"))
    for (const file of rows.flatMap(attachmentsOf)) {
      if (!(await isSaved(dir, file))) await download(context, file);
      progress.add(1);
    }
}

export const startFileProgress = (context: ExportContext) => startProgress(context.io, "files", undefined);

async function download({ chat, callOptions, options, note }: ExportContext, file: ExportedAttachment) {
  const { file_id: id } = file;
  try {
    // The address in the message may have expired.
    const { url = "" } = await chat.files.get(id, callOptions);
    requireKnownOrigin(url, options);
    const response = await fetch(url, { signal: callOptions.signal ?? null, redirect: "error" });
    if (response.body === null || !response.ok)
      throw new Error(`The storage responded with ${response.status}.`);
    if (!(await saveFile(options.dir, file, response.body)))
      throw new CommandError(
        `The file ${id} has another size than its message says. Run: madang-server files check`,
      );
  } catch (error) {
    if (isChatError(error)) {
      if (error.code !== "file_not_found") throw error;
      return note(`The file ${id} was deleted with its message meanwhile. The export leaves it out.`);
    }
    callOptions.signal?.throwIfAborted();
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `The file ${id} could not be fetched: ${Object(error).message} To continue, run the same command again.`,
    );
  }
}

/** A server names the address of each file. This computer may reach what the server should not: only its own address is known. */
function requireKnownOrigin(url: string, { server, filesFrom }: ExportContext["options"]): void {
  const { origin } = new URL(url);
  if (origin !== new URL(server).origin && !filesFrom.includes(origin))
    throw new CommandError(
      `The files are at ${origin}, which is not the address of the server. If they belong there, as those of a bucket do, add --files-from ${origin} to the command.`,
    );
}
