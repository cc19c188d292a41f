import { ids, isChatError } from "@madang/client";
import type { Command } from "commander";
import { UsageError } from "../../terminal/exit-codes";
import { type Io, write } from "../../terminal/io";
import { toPlainText } from "../../terminal/output/plain-text";

export function addIds(program: Command, io: Io): void {
  const group = program
    .command("ids")
    .description("Ids of users and channels for other names, as ids of the SDK makes them.")
    .helpCommand(false);
  group
    .command("encode")
    .argument("<name...>", "names such as e-mail addresses and UUIDs")
    .summary("Print the ids of names")
    .description("Prints the id of each name, one a line. A name that is a valid id is its own.")
    .addHelpText("after", "\nExample:\n  $ madang ids encode kim@example.com")
    .action((names: string[]) => printEach(io, names, ids.encode));
  group
    .command("decode")
    .argument("<id...>", "ids that encode printed")
    .summary("Print the names of ids")
    .description(
      "Prints the name of each id, one a line. That of a long name is a hash, and cannot be decoded.",
    )
    .addHelpText("after", "\nExample:\n  $ madang ids decode b32_nnuw2qdfpbqw24dmmuxgg33n")
    .action((encoded: string[]) => printEach(io, encoded, ids.decode));
}

async function printEach(
  io: Io,
  values: readonly string[],
  convert: (value: string) => string,
): Promise<void> {
  for (const value of values) await write(io.stdout, `${toPlainText(convertOne(value, convert))}\n`);
}

function convertOne(value: string, convert: (value: string) => string): string {
  try {
    return convert(value);
  } catch (error) {
    throw isChatError(error) ? new UsageError(`${JSON.stringify(value)}: ${error.detail}`) : error;
  }
}
