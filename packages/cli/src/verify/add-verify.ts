import type { Command } from "commander";
import { readManifest } from "../data/manifest";
import { startProgress } from "../data/progress";
import { CommandError, exitCodes, UsageError } from "../exit-codes";
import { findConnection } from "../profiles/connection";
import type { Session } from "../session";
import { inThread } from "../thread";
import { checkFiles } from "./check-files";
import { compareWithServer } from "./compare-with-server";

/** A file and a list of the server are read at the same time. */
const sources = 2;

export function addVerify(program: Command, session: Session): void {
  program
    .command("verify")
    .summary("Check the files of an export")
    .description(
      "Checks the files of an export against their manifest, then compares their rows with what the server has now. Ends with 1 when a file is damaged or the server has something else.",
    )
    .argument("<folder>", "the folder of the export")
    .option("--offline", "check the files only")
    .addHelpText("after", "\nExample:\n  $ madang verify backup")
    .action((dir: string, options: { offline?: true }) =>
      inThread(session.io, sources, () => runVerify(dir, options.offline === true, session)),
    );
}

async function runVerify(dir: string, isOffline: boolean, session: Session): Promise<void> {
  const { io, output } = session;
  const manifest = await readManifest(dir);
  if (manifest === undefined)
    throw new CommandError(
      `${dir} has no manifest.json. An export writes it last: run its command again.`,
      exitCodes.notFound,
    );
  const progress = startProgress(io, "files", manifest.files.length);
  const problems = await checkFiles(dir, manifest, () => progress.add(1)).finally(() => progress.end());
  for (const problem of problems) output.note(problem);
  const differences = isOffline || problems.length > 0 ? [] : await compare(dir, session);
  for (const { file, added, changed, removed, isChannelMissing } of differences)
    output.note(
      isChannelMissing
        ? `${file}: the server does not have this channel any more.`
        : `${file}: on the server, ${added} more, ${changed} changed and ${removed} deleted.`,
    );
  await output.item({
    files: manifest.files.length,
    rows: manifest.files.reduce((sum, { rows }) => sum + rows, 0),
    damaged: problems.length,
    ...(!isOffline && problems.length === 0 && { different: differences.length }),
  });
  if (problems.length > 0) throw new CommandError(`${problems.length} files of ${dir} are damaged.`);
  if (differences.length > 0) throw new CommandError(`The server has something else than ${dir}.`);

  async function compare(folder: string, { options }: Session) {
    if (manifest === undefined) return [];
    try {
      await findConnection(io.env, options().profile);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`${error.message} To check the files only, add --offline.`);
    }
    return compareWithServer(await session.connectPatiently(), folder, manifest, { signal: io.signal });
  }
}
