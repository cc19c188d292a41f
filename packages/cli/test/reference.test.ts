import type { Command } from "commander";
import { expect, test } from "vitest";
import { isShortGroup } from "../src/operations/add-operations";
import { createProgram } from "../src/program";
import { createIo } from "./support/memory-io";

test("docs/reference.md is the help of the program", async () => {
  const { io } = createIo();
  const program = createProgram(io);
  const text = [
    "# Reference of the `madang` command",
    "Generated from `madang --help` by `pnpm run reference`.",
    "<!-- every block is run by packages/cli/test/reference.test.ts -->",
    ...listCommands(program).map(({ name, help }) => `## ${name}\n\n\`\`\`text\n${help}\`\`\``),
  ].join("\n\n");
  await expect(`${text}\n`).toMatchFileSnapshot("../docs/reference.md");
});

/** The program and every command that does something, with its help. */
function listCommands(command: Command, path: readonly string[] = []): { name: string; help: string }[] {
  const names = [...path, command.name()];
  // What is the same for every command stands once, at the top.
  if (path.length > 0) command.configureHelp({ ...command.configureHelp(), showGlobalOptions: false });
  const printed: string[] = [];
  command.configureOutput({ ...command.configureOutput(), writeOut: (text) => printed.push(text) });
  command.outputHelp();
  const help = printed.join("");
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => !(path.length === 0 && isShortGroup(each.name())));
  const own = path.length > 0 && commands.length > 0 ? [] : [{ name: names.join(" "), help }];
  return [...own, ...commands.flatMap((each) => listCommands(each, names))];
}
