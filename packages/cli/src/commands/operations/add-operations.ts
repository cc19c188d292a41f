import type { Command } from "commander";
import { groups, operations } from "../../generated/operations";
import type { Session } from "../../session";
import { toArgument } from "../../terminal/output/plain-text";
import { addOptions } from "./add-options";
import { commandName } from "./naming";
import type { OperationData } from "./operation";
import { runOperation } from "./run-operation";

/** Operations that also have a shorter command: `madang tokens create` for `users.createToken`. */
const shortCommands: Readonly<Record<string, readonly [group: string, name: string]>> = {
  "users.createToken": ["tokens", "create"],
  "users.revokeTokens": ["tokens", "revoke"],
};

/**
 * A command for every operation of the contract: `madang channels members join` for `channels.members.join`. A group below
 * another whose name is unique is also a command of its own, as in `madang members join`.
 */
export function addOperations(program: Command, session: Session): void {
  for (const operation of operations) {
    const path = operation.id.split(".").slice(0, -1);
    addOperation(requireGroup(program, path), operation, session);
    const last = path.at(-1) ?? "";
    if (isShortGroup(last)) addOperation(requireGroup(program, [last]), operation, session);
    const [group, name] = shortCommands[operation.id] ?? [];
    if (group !== undefined) addOperation(requireGroup(program, [group]), operation, session, name);
  }
}

/** Whether a group stands both below another and on its own: no other group has its name. */
export function isShortGroup(name: string): boolean {
  const groupsOfName = operations
    .map(({ id }) => id.split(".").slice(0, -1))
    .filter((path) => path.at(-1) === name);
  return new Set(groupsOfName.map(String)).size === 1 && groupsOfName.every((path) => path.length > 1);
}

function requireGroup(program: Command, path: readonly string[]): Command {
  return path.reduce((parent, name, index) => {
    const existing = parent.commands.find((command) => command.name() === commandName(name));
    const id = path.slice(0, index + 1).join(".");
    return existing ?? parent.command(commandName(name)).description(describeGroup(id)).helpCommand(false);
  }, program);
}

function describeGroup(id: string): string {
  if (id === "tokens") return "Tokens, with which a browser or an app calls the service as one user.";
  const [whole = id] = Object.keys(groups).filter((path) => path.endsWith(`.${id}`));
  return whole === id ? (groups[id] ?? "") : `The same as ${whole.replaceAll(".", " ")}.`;
}

function addOperation(
  group: Command,
  operation: OperationData,
  session: Session,
  name = commandName(operation.id.split(".").at(-1) ?? ""),
): void {
  const { summary, description, example, masterKeyOnly, body } = operation;
  const command = group
    .command(name)
    .summary(summary)
    .description(
      [
        description,
        masterKeyOnly && "Requires the master key.",
        body.some(({ secret }) => secret) &&
          "The key is read from a prompt that hides it, or without a terminal from standard input.",
      ]
        .filter(Boolean)
        .join(" "),
    )
    .addHelpText("after", `\nExample:\n  $ madang ${example.map(toArgument).join(" ")}`);
  addOptions(command, operation);
  command.action((...input) => {
    // The parser passes the arguments, the options and the command.
    const values = input.slice(0, -2) as (string | string[])[];
    return runOperation(operation, values, command.opts(), session);
  });
}
