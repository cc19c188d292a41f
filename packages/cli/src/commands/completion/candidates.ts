import type { Command, Option } from "commander";
import { eventTypes } from "../../generated/operations";

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/**
 * What can stand where the last of these words begins: a command, an option, a value with a fixed set, a profile or event
 * types.
 */
export function findCandidates(
  program: Command,
  words: readonly string[],
  profiles: readonly string[],
): Candidate[] {
  const start = words.at(-1) ?? "";
  const { command, previous, values } = follow(program, words.slice(0, -1));
  return candidatesAt(program, command, previous, values, start, profiles).filter(({ word }) =>
    word.startsWith(start),
  );
}

function candidatesAt(
  program: Command,
  command: Command,
  previous: Option | undefined,
  values: number,
  start: string,
  profiles: readonly string[],
): Candidate[] {
  if (previous?.long === "--profile") return toCandidates(profiles);
  if (previous?.long === "--types") {
    // After a comma, a further type.
    const given = start.slice(0, start.lastIndexOf(",") + 1);
    return toCandidates(eventTypes.map((type) => `${given}${type}`));
  }
  if (previous) return toCandidates(previous.argChoices ?? []);
  if (start.startsWith("-")) {
    const options = [...command.options, ...(command === program ? [] : program.options)];
    const help = { word: "--help", description: "print help" };
    const own = options
      .filter(({ hidden }) => !hidden)
      .map(({ long, description }) => ({ word: long ?? "", description: firstSentence(description) }));
    return [...own, help];
  }
  const subcommands = command.createHelp().visibleCommands(command);
  if (subcommands.length > 0)
    return subcommands.map((each) => ({
      word: each.name(),
      description: firstSentence(each.summary() || each.description()),
    }));
  const argument = command.registeredArguments[values];
  return toCandidates(argument?.name() === "profile" ? profiles : (argument?.argChoices ?? []));
}

/** The command that the words lead to, the option that still needs its value, and how many values it has. */
function follow(program: Command, words: readonly string[]) {
  let command = program;
  let previous: Option | undefined;
  let values = 0;
  for (const word of words) {
    if (previous) {
      previous = undefined;
      continue;
    }
    if (word.startsWith("-")) {
      const option = [...command.options, ...program.options].find(
        ({ long, short }) => word === long || word === short,
      );
      previous = option?.required ? option : undefined;
      continue;
    }
    const next = command.commands.find((each) => each.name() === word);
    if (next) command = next;
    else values++;
  }
  return { command, previous, values };
}

function toCandidates(words: readonly string[]): Candidate[] {
  return words.map((word) => ({ word, description: "" }));
}

function firstSentence(text: string): string {
  return text
    .replace(/[.;:] .*/s, "")
    .replace(/\.$/, "")
    .replaceAll(/\s+/g, " ");
}
