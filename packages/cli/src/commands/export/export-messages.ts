import type { ExportedFile } from "../../data/files/manifest";
import { idFields } from "../../data/tables/tables";
import { type Progress, startProgress } from "../../terminal/progress";
import { type ExportContext, readChannelIds, readChannels, unlessMissing } from "./context";
import { forEachConcurrently } from "./for-each-concurrently";
import { spoolPagesOf } from "./lists";
import { type Published, removeSpool } from "./publish";
import { spool } from "./spool";

/** Saves the files of the messages of a channel, before these get their final name. */
type Save = (name: string) => Promise<void>;
type Publish = (published: Omit<Published, "checkpoint">) => Promise<ExportedFile>;

/** Exports the messages of each channel to a file of its own. A channel that was deleted meanwhile has none. */
export async function exportMessages(
  context: ExportContext,
  publish: Publish,
  save: Save,
): Promise<ExportedFile[]> {
  const { io, journal, options } = context;
  const { concurrency, dir, range } = options;
  const hasRange = range.from !== undefined || range.to !== undefined;
  const progress = startProgress(io, "messages", hasRange ? undefined : await countMessages(context));
  const files: ExportedFile[] = [];
  try {
    await forEachConcurrently(readChannelIds(context), concurrency, async (id) => {
      if (journal.isMissing(id)) return;
      const exporting = exportChannel(
        context,
        id,
        async (published) => {
          if (!journal.fileOf(published.name)) await save(published.name);
          return publish(published);
        },
        progress,
      );
      const file = await unlessMissing(context, id, exporting);
      if (file) files.push(file);
      else await removeSpool(dir, `messages/${id}`);
    });
  } finally {
    progress.end();
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function exportChannel(
  { chat, callOptions, journal, options }: ExportContext,
  channelId: string,
  publish: Publish,
  progress: Progress,
): Promise<ExportedFile> {
  const { concurrency, dir, range } = options;
  const name = `messages/${channelId}`;
  const { from: start_date, to: end_date, timezone } = range;
  const first = { start_date, end_date, timezone, pageSize: 1_000 };
  // A page that is fetched ahead takes memory, and other channels use the time too.
  const prefetch = concurrency === 1 ? 1 : 0;
  const finished = journal.fileOf(name);
  if (finished) progress.resume(finished.rows);
  else
    await spool(
      journal,
      { dir, name, idField: idFields.messages },
      (cursor) => {
        const query = cursor === undefined ? first : { cursor };
        return spoolPagesOf(chat.exports.messages(channelId, { ...query, prefetch }, callOptions));
      },
      progress,
    );
  return publish({ name, kind: "messages", channelId });
}

async function countMessages(context: ExportContext): Promise<number> {
  let total = 0;
  for await (const rows of readChannels(context))
    for (const { total_message_count } of rows) total += Number(total_message_count);
  return total;
}
