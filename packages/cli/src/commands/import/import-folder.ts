import type { Session } from "../../session";
import { CommandError } from "../../terminal/exit-codes";
import { explainInterruption } from "../../terminal/explain-interruption";
import { startProgress } from "../../terminal/progress";
import { checkSources, type Sender } from "./check-sources";
import { runImport } from "./run-import";
import { findSources, type Source } from "./sources";

export interface ImportOptions {
  readonly dryRun?: true;
  readonly encodeIds?: true;
  readonly concurrency: number;
}

/** Checks a folder, reports what an import would leave out, and imports it. */
export async function importFolder(dir: string, options: ImportOptions, session: Session): Promise<void> {
  const { io, output } = session;
  const sources = await findSources(dir, options.encodeIds);
  const progress = startProgress(io, "rows checked", undefined);
  const { rows, problems, leftOut, senders } = await checkSources(
    sources,
    (problem) => output.note(problem),
    (count) => progress.add(count),
  ).finally(() => progress.end());
  for (const sentence of leftOut) output.note(sentence);
  if (options.dryRun) await output.item({ ...rows, problems });
  if (problems > 0)
    throw new CommandError(
      `Rows of ${dir} that the server would reject: ${problems}.${options.dryRun ? "" : " Nothing was imported."}`,
    );
  if (!options.dryRun) await sendFolder(dir, sources, senders, options.concurrency, session);
}

async function sendFolder(
  dir: string,
  sources: readonly Source[],
  senders: ReadonlyMap<string, Sender>,
  concurrency: number,
  session: Session,
): Promise<void> {
  const { io, output } = session;
  const chat = await session.connectPatiently();
  try {
    const result = await runImport(chat, io, sources, senders, concurrency, dir);
    await output.item(result);
    const { missing_channels: missing } = result;
    if (missing.length > 0)
      throw new CommandError(
        `The server does not have these channels, and their messages were left out: ${missing.slice(0, 10).join(", ")}. Add them to the file of channels, or create them, and run the same command again.`,
      );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw explainInterruption(error, "To continue, run the same command again: it imports nothing twice.");
  }
}
