import { type Command, Option } from "commander";
import { type Format, formats } from "../../data/tables/read-rows";
import { parseConcurrency, parseDay, parseOrigin, parseTimeZone } from "../../parse-options";
import type { Session } from "../../session";
import { CommandError, UsageError } from "../../terminal/exit-codes";
import { explainInterruption } from "../../terminal/explain-interruption";
import { findConnection } from "../profiles/connection";
import { runExport } from "./run-export";

interface Options {
  readonly all?: true;
  readonly out: string;
  readonly format: Format;
  readonly bom?: true;
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
  readonly files?: true;
  readonly filesFrom?: readonly string[];
  readonly blocksAndPreferences?: true;
  readonly concurrency: number;
}

export function addExport(program: Command, session: Session): void {
  program
    .command("export")
    .summary("Export users, channels and messages to files")
    .description(
      "Exports users, channels, participants, managers, bans and messages. After an interruption, the same command continues. Each file gets its final name when it is complete; manifest.json, with the number of rows and the SHA-256 of each file, is written last.",
    )
    .argument(
      "[channel...]",
      "the ids of the channels to export; the users are then their participants and managers",
    )
    .option("--all", "export all channels and all users")
    .requiredOption("--out <folder>", "the folder to write to")
    .addOption(new Option("--format <format>", "the format of the files").choices(formats).default("ndjson"))
    .option(
      "--bom",
      "with --format csv: begin the files with a byte order mark, which Excel needs to read Hangul",
    )
    .option(
      "--files",
      "also save the files of messages, in the folder files, with their SHA-256 in files/SHA256SUMS",
    )
    .option(
      "--files-from <origin>",
      "where the files may be besides the server, such as https://bucket.s3.eu-west-1.amazonaws.com; may be repeated",
      parseOrigin,
    )
    .option(
      "--blocks-and-preferences",
      "also export whom each user has blocked and what it wants of its channels; takes several requests for each user",
    )
    .option("--from <day>", "the first day of the messages, such as 2024-01-31", parseDay)
    .option("--to <day>", "the last day of the messages, included", parseDay)
    .option(
      "--timezone <zone>",
      "the time zone of the days, such as Asia/Seoul; UTC by default",
      parseTimeZone,
    )
    .addOption(
      new Option("--concurrency <number>", "how many channels and users to export at the same time, 1 to 16")
        .argParser(parseConcurrency)
        .default(2),
    )
    .addHelpText("after", "\nExample:\n  $ madang export --all --out backup --format parquet")
    .action((channels: string[], options: Options) => runCommand(channels, options, session));
}

async function runCommand(channels: readonly string[], options: Options, session: Session): Promise<void> {
  if (channels.length > 0 === (options.all === true))
    throw new UsageError("Name the channels to export, or add --all.");
  if (options.from !== undefined && options.to !== undefined && options.from > options.to)
    throw new UsageError("--from must not be after --to.");
  if (options.bom && options.format !== "csv") throw new UsageError("--bom needs --format csv.");
  const { io, output } = session;
  const { baseUrl } = await findConnection(io.env, session.options().profile);
  const chat = await session.connectPatiently();
  const { out: dir, format, bom, all, concurrency, files, filesFrom = [], ...others } = options;
  const { blocksAndPreferences: hasOwn = false, ...range } = others;
  try {
    const manifest = await runExport(
      chat,
      io,
      {
        dir,
        server: baseUrl,
        channels: all ? undefined : [...new Set(channels)],
        format,
        hasByteOrderMark: bom === true,
        range,
        hasFiles: files === true,
        filesFrom,
        hasOwn,
        concurrency,
        now: Date.now,
      },
      (text) => output.note(text),
    );
    const rowsOf = (kind: string) =>
      manifest.files.filter((file) => file.kind === kind).reduce((sum, { rows }) => sum + rows, 0);
    const { missing_channels } = manifest;
    await output.item({
      folder: dir,
      users: rowsOf("users"),
      channels: rowsOf("channels"),
      members: rowsOf("members"),
      managers: rowsOf("managers"),
      bans: rowsOf("bans"),
      ...(hasOwn && { blocks: rowsOf("blocks"), preferences: rowsOf("preferences") }),
      messages: rowsOf("messages"),
      ...(manifest.attachments && { files: manifest.attachments.files }),
      bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(missing_channels.length > 0 && { missing_channels }),
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw explainInterruption(
      error,
      `To continue, run the same command again. Complete files are in ${dir}.`,
    );
  }
}
