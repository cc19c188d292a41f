import { type Command, Option } from "commander";
import { explainInterruption } from "../data/explain-interruption";
import { startProgress } from "../data/progress";
import { CommandError } from "../exit-codes";
import { parseConcurrency } from "../parse-options";
import type { Session } from "../session";
import { checkSources, type Sender } from "./check-sources";
import { runImport } from "./run-import";
import { findSources, type Source } from "./sources";

interface Options {
  readonly dryRun?: true;
  readonly encodeIds?: true;
  readonly concurrency: number;
}

export function addImport(program: Command, session: Session): void {
  program
    .command("import")
    .summary("Import users, channels and messages from files")
    .description(
      "Imports what an export wrote, or NDJSON, CSV or Parquet files with the same names and fields. All rows are checked before the first one is sent. It can be repeated after an interruption: what exists stays as it is, and no message is imported twice. The guide “Migrating” describes the files.",
    )
    .argument("<folder>", "the folder with the files")
    .option("--dry-run", "check every row by the rules of the server; send nothing")
    .option(
      "--encode-ids",
      "make valid ids of ids such as UUIDs and e-mail addresses, as ids.encode of the SDK does",
    )
    .addOption(
      new Option("--concurrency <number>", "how many files of messages to import at the same time, 1 to 16")
        .argParser(parseConcurrency)
        .default(2),
    )
    .addHelpText("after", "\nExample:\n  $ madang import backup --dry-run")
    .action((dir: string, options: Options) => importFolder(dir, options, session));
}

async function importFolder(dir: string, options: Options, session: Session): Promise<void> {
  const { io, output } = session;
  const sources = await findSources(dir, options.encodeIds);
  const progress = startProgress(io, "rows checked", undefined);
  const { rows, problems, leftOut, senders } = await checkSources(
    sources,
    (problem) => output.note(problem),
    (count) => progress.add(count),
  ).finally(() => progress.end());
  for (const [name, count] of Object.entries(leftOut))
    if (count > 0) output.note(`An import leaves out ${name}, which ${count} messages have.`);
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
