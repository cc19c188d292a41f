import type { Command } from "commander";
import { groups, operations } from "../generated/operations";
import type { Session } from "../session";
import { addOptions } from "./add-options";
import { commandName } from "./naming";
import type { OperationData } from "./operation";
import { runOperation } from "./run-operation";

/**
 * A command for every operation of the contract: `madang channels members join` for `channels.members.join`. The last group is
 * also a command of its own, as in `madang members join`, unless its name is taken.
 */
export function addOperations(program: Command, session: Session): void {
  const topLevel = new Set(operations.map(({ id }) => id.split(".")[0]));
  for (const operation of operations) {
    const path = operation.id.split(".").slice(0, -1);
    addOperation(requireGroup(program, path), operation, session);
    const last = path.at(-1);
    if (last !== undefined && !topLevel.has(last))
      addOperation(requireGroup(program, path, [last]), operation, session);
  }
}

/** The group with a path such as `users.meta`, also under a shorter path. */
function requireGroup(program: Command, path: readonly string[], names = path): Command {
  return names.reduce((parent, name, index) => {
    const existing = parent.commands.find((command) => command.name() === commandName(name));
    if (existing) return existing;
    const whole = names === path ? path.slice(0, index + 1) : path;
    return parent
      .command(commandName(name))
      .description(groups[whole.join(".")] ?? "")
      .helpCommand(false);
  }, program);
}

function addOperation(group: Command, operation: OperationData, session: Session): void {
  const { id, summary, description, example, masterKeyOnly } = operation;
  const command = group
    .command(commandName(id.split(".").at(-1) ?? ""))
    .summary(summary)
    .description(`${description}${masterKeyOnly ? " Requires the master key." : ""}`)
    .addHelpText("after", `\nExample:\n  $ madang ${example.map(quote).join(" ")}`);
  addOptions(command, operation);
  command.action((...input) => {
    // The parser passes the arguments, the options and the command.
    const values = input.slice(0, -2) as (string | string[])[];
    return runOperation(operation, values, command.opts(), session);
  });
}

function quote(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
