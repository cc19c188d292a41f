import { type Command, Option } from "commander";
import { explainInterruption } from "../data/explain-interruption";
import { startProgress } from "../data/progress";
import { CommandError } from "../exit-codes";
import { parseConcurrency } from "../export/parse-options";
import type { Session } from "../session";
import { inThread } from "../thread";
import { dryRun } from "./dry-run";
import { runImport } from "./run-import";
import { findSources } from "./sources";

interface Options {
  readonly dryRun?: true;
  readonly concurrency: number;
}

const shownProblems = 20;

export function addImport(program: Command, session: Session): void {
  program
    .command("import")
    .summary("Import users, channels and messages from files")
    .description(
      "Imports what an export wrote, or NDJSON, CSV or Parquet files with the same names and fields. It can be repeated after an interruption: what exists stays as it is, and no message is imported twice. The guide “Moving in” describes the files.",
    )
    .argument("<folder>", "the folder with the files")
    .option("--dry-run", "read the files and check their ids, texts and times; send nothing")
    .addOption(
      new Option("--concurrency <number>", "how many files of messages to import at the same time, 1 to 16")
        .argParser(parseConcurrency)
        .default(2),
    )
    .addHelpText("after", "\nExample:\n  $ madang import backup --dry-run")
    .action((dir: string, options: Options) =>
      inThread(session.io, options.concurrency, () =>
        options.dryRun ? check(dir, session) : importFolder(dir, options.concurrency, session),
      ),
    );
}

async function check(dir: string, { io, output }: Session): Promise<void> {
  const sources = await findSources(dir);
  const progress = startProgress(io, "rows", undefined);
  const { rows, problems } = await dryRun(sources, (count) => progress.add(count)).finally(() =>
    progress.end(),
  );
  for (const problem of problems.slice(0, shownProblems)) output.note(problem);
  if (problems.length > shownProblems) output.note(`… and ${problems.length - shownProblems} more.`);
  await output.item({ ...rows, problems: problems.length });
  if (problems.length > 0)
    throw new CommandError(`Rows of ${dir} that the server would reject: ${problems.length}.`);
}

async function importFolder(dir: string, concurrency: number, session: Session): Promise<void> {
  const { io, output } = session;
  const sources = await findSources(dir);
  const chat = await session.connectPatiently();
  try {
    const result = await runImport(chat, io, sources, concurrency);
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
