import { type Command, Option } from "commander";
import type { Session } from "../../session";
import type { UpsertOptions } from "./run-upsert";

/** `madang users upsert`, beside the commands of the operations. */
export function addUpsert(program: Command, session: Session): void {
  const group = program.commands.find((command) => command.name() === "users");
  group
    ?.command("upsert")
    .summary("Create or update the users of a file")
    .description(
      "Creates the users that do not exist and updates the others, in requests of 100, and prints how many were created, updated and unchanged. A file has a row for each user, with user_id, name, and optionally profile_url and meta: NDJSON, or CSV with these names in its first line, if its name ends with .csv. An empty cell of CSV keeps the value. A row that breaks a rule is printed with its line and the reason, the others are stored, and the exit code is 1. It can be repeated: users without changes are not written.",
    )
    .argument("<file>", "the file, or - for standard input")
    .option("--dry-run", "check every row by the rules of the server; send nothing")
    .addOption(
      new Option("--format <format>", "the format of standard input; by default ndjson").choices([
        "ndjson",
        "csv",
      ]),
    )
    .addHelpText("after", "\nExample:\n  $ madang users upsert users.csv --dry-run")
    .action(async (file: string, options: UpsertOptions) => {
      // With the contract and Zod, which few commands need.
      const { upsertFile } = await import("./run-upsert");
      return upsertFile(file, options, session);
    });
}
