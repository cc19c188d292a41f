import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { isPaged, isPositional, optionName } from "./naming";
import type { FieldData, OperationData } from "./operation";

/** The arguments and options of an operation: its ids are arguments, its other fields options. */
export function addOptions(command: Command, operation: OperationData): void {
  const { path, query, body, method } = operation;
  const positional = body.filter((field) => isPositional(operation, field));
  for (const field of [...path, ...positional]) command.addArgument(createArgument(field));
  const paged = isPaged(operation);
  const filters = paged ? query.filter(({ name }) => name !== "limit" && name !== "next") : query;
  const fields = body.filter((field) => !positional.includes(field) && !field.secret);
  for (const field of [...filters, ...fields]) addOption(command, field, field.name);
  if (paged) {
    command.option(
      "--limit <number>",
      "stop after this many items; by default the whole list",
      parsePositive,
    );
    command.option("--cursor <cursor>", "continue an interrupted list");
  }
  if (fields.length > 0)
    command.option(
      "--input <file>",
      "read the body as JSON from a file, or from standard input for -; options add to it",
    );
  if (method !== "GET")
    command.option("--idempotency-key <key>", "repeat the command safely with the same key");
  if (method === "DELETE") command.option("--yes", "do not ask for confirmation");
}

function createArgument(field: FieldData): Argument {
  const argument = new Argument(
    field.kind === "strings" ? `<${field.name}...>` : `<${field.name}>`,
    field.description,
  );
  if (field.kind === "boolean") return argument.choices(["true", "false"]);
  return field.choices ? argument.choices([...field.choices]) : argument;
}

function addOption(command: Command, field: FieldData, name: string): void {
  if (field.fields) {
    for (const inner of field.fields) addOption(command, inner, `${name}_${inner.name}`);
    return;
  }
  const flag = `--${optionName(name)}`;
  const description = `${field.description}${field.required ? " Required." : ""}`.trim();
  if (field.kind === "boolean") {
    command.addOption(new Option(flag, description));
    command.addOption(new Option(`--no-${optionName(name)}`, "the opposite"));
    return;
  }
  const option = new Option(`${flag} <${placeholderOf(field)}>`, description);
  if (field.choices) option.choices([...field.choices]);
  else option.argParser<unknown>((text, previous) => parseValue(field, text, previous));
  command.addOption(option);
}

function placeholderOf({ kind, name }: FieldData): string {
  const placeholders = {
    strings: "values...",
    map: "key=value",
    integer: "number",
    number: "number",
    json: "json",
  };
  const placeholder = Object.entries(placeholders).find(([each]) => each === kind)?.[1] ?? "text";
  return name.endsWith("_at") ? "time" : placeholder;
}

/** The value of an option. An option that is repeated adds to what it had. */
function parseValue(field: FieldData, text: string, previous: unknown): unknown {
  switch (field.kind) {
    case "strings":
      return [...(Array.isArray(previous) ? previous : []), text];
    case "map":
      return { ...Object(previous), ...parsePair(text) };
    default:
      return parseScalar(field, text);
  }
}

/** The value of an argument, or of an option that is given once. */
export function parseScalar({ kind, name }: FieldData, text: string): unknown {
  switch (kind) {
    case "boolean":
      return text === "true";
    case "integer":
    case "number":
      return name.endsWith("_at") ? parseTime(text) : parseNumber(text);
    case "json":
      return parseJson(text);
    default:
      return text;
  }
}

function parsePair(text: string): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be key=value.");
  // A computed name, so that __proto__ is a key like any other.
  return { [text.slice(0, at)]: text.slice(at + 1) };
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new InvalidArgumentError("It must be a number.");
  return number;
}

/** Milliseconds since the epoch, or a date such as 2026-12-31T00:00:00Z. */
function parseTime(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(ms))
    throw new InvalidArgumentError("It must be milliseconds or a date such as 2026-12-31T00:00:00Z.");
  return ms;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It must be JSON.");
  }
}

function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}
