import type { Command } from "commander";
import { readManifest } from "../../data/files/manifest";
import type { Session } from "../../session";
import { CommandError, exitCodes, UsageError } from "../../terminal/exit-codes";
import { startProgress } from "../../terminal/progress";
import { checkSums } from "../files/saved-files";
import { findSources } from "../import/sources";
import { type Connection, findConnection, NoServerError } from "../profiles/connection";
import { checkFiles } from "./check-files";
import { compareExport } from "./compare-export";

interface Options {
  readonly offline?: true;
  readonly migrated?: true;
  readonly encodeIds?: true;
}

export function addVerify(program: Command, session: Session): void {
  program
    .command("verify")
    .summary("Check the files of an export, or what was imported")
    .description(
      "Checks the files of an export against their manifest, then compares their rows with what the server has now, if a server is configured. With --migrated, it checks that the server has everything that madang import read from the folder. The exit code is 1 if a file is damaged or the server's data differs.",
    )
    .argument("<folder>", "the folder of the files")
    .option("--offline", "check the files only, even if a server is configured")
    .option(
      "--migrated",
      "compare what an import keeps: all of users, channels and messages but the ids of messages and the times of the rest; what only the server has is no difference",
    )
    .option("--encode-ids", "with --migrated: the files were imported with --encode-ids")
    .addHelpText("after", "\nExample:\n  $ madang verify backup\n  $ madang verify migrated --migrated")
    .action((dir: string, options: Options) => {
      if (!options.migrated) return runVerify(dir, options.offline === true, session);
      if (options.offline) throw new UsageError("--migrated compares with a server, and --offline does not.");
      return verifyMigrated(dir, options.encodeIds === true, session);
    });
}

async function verifyMigrated(
  dir: string,
  encodesIds: boolean,
  { connectPatiently, io, output }: Session,
): Promise<void> {
  // With the contract and Zod, which few commands need.
  const { compareMigrated } = await import("./compare-migrated");
  const sources = await findSources(dir, encodesIds);
  const chat = await connectPatiently();
  const progress = startProgress(io, "files compared", sources.length);
  const compared = await compareMigrated(
    chat,
    sources,
    { signal: io.signal },
    (problem) => output.note(problem),
    () => progress.add(1),
  ).finally(() => progress.end());
  await output.item({ files: sources.length, ...compared });
  const { missing, different } = compared;
  if (missing > 0)
    throw new CommandError(`The server does not have all rows of ${dir}. Run: madang import ${dir}`);
  if (different > 0)
    throw new CommandError("The server has other values. An import does not change what exists.");
}

async function runVerify(dir: string, isOffline: boolean, session: Session): Promise<void> {
  const { io, output } = session;
  const manifest = await readManifest(dir);
  if (manifest === undefined)
    throw new CommandError(
      `${dir} has no manifest.json. An export writes it last: run its command again. To check what was imported from other files, add --migrated.`,
      exitCodes.notFound,
    );
  const total = manifest.files.length;
  // Before the files are read, which may take long.
  const connection = isOffline ? undefined : await findServer(session);
  if (connection !== undefined && connection.baseUrl !== manifest.server)
    output.note(`${dir} is an export of ${manifest.server}. It is compared with ${connection.baseUrl}.`);
  const problems = await withProgress("files checked", (onFile) => checkFiles(dir, manifest, onFile));
  if (manifest.attachments) problems.push(...(await checkSums(dir, manifest.attachments.files)));
  for (const problem of problems) output.note(problem);
  const isCompared = connection !== undefined && problems.length === 0;
  const differences = isCompared
    ? await withProgress("files compared", async (onFile) =>
        compareExport(await session.connectPatiently(), dir, manifest, { signal: io.signal }, onFile),
      )
    : [];
  for (const { file, added, changed, removed } of differences)
    output.note(`${file}: on the server, ${added} more, ${changed} changed and ${removed} deleted.`);
  await output.item({
    files: total,
    rows: manifest.files.reduce((sum, { rows }) => sum + rows, 0),
    ...(manifest.attachments && { attachments: manifest.attachments.files }),
    damaged: problems.length,
    ...(isCompared && { different: differences.length }),
  });
  if (connection === undefined && !isOffline)
    output.note("No server is configured: only the files were checked.");
  if (problems.length > 0) throw new CommandError(`Damaged files in ${dir}: ${problems.length}.`);
  if (differences.length > 0) throw new CommandError(`The data of the server differs from ${dir}.`);

  function withProgress<Result>(
    unit: string,
    work: (onFile: () => void) => Promise<Result>,
  ): Promise<Result> {
    const progress = startProgress(io, unit, total);
    return work(() => progress.add(1)).finally(() => progress.end());
  }
}

/** Undefined without a server: the files can be checked where there is none. */
async function findServer({ io, options }: Session): Promise<Connection | undefined> {
  try {
    return await findConnection(io.env, options().profile);
  } catch (error) {
    if (error instanceof NoServerError) return undefined;
    throw error;
  }
}
