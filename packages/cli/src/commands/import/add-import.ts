import { type Command, Option } from "commander";
import { parseConcurrency } from "../../parse-options";
import type { Session } from "../../session";
import type { ImportOptions } from "./import-folder";

export function addImport(program: Command, session: Session): void {
  program
    .command("import")
    .summary("Import users, channels and messages from files")
    .description(
      "Imports what an export wrote, or NDJSON, CSV or Parquet files with the same names and fields. All rows are checked before the first one is sent. It can be repeated after an interruption: users, channels and messages that exist stay as they are, and suspensions, mutes, bans, freezes and retention are set as the files have them, again. Blocks and preferences are added where there are none. The guide “Migrating” describes the files.",
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
    .action(async (dir: string, options: ImportOptions) => {
      // With the contract and Zod, which few commands need.
      const { importFolder } = await import("./import-folder");
      return importFolder(dir, options, session);
    });
}
