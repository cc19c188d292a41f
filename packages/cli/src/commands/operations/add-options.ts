import { Argument, type Command, Option } from "commander";
import { columnsOfList } from "../../data/tables/tables";
import { isDeletion, isPaged, isPositional, optionName } from "./naming";
import type { FieldData, OperationData } from "./operation";
import { parsePositive, parseValue } from "./parse-value";

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
  if (columnsOfList(operation.id)) command.option("--csv", "print CSV, which a spreadsheet opens");
  if (fields.length > 0)
    command.option(
      "--input <file>",
      "read the body as JSON from a file, or from standard input for -; options add to it",
    );
  if (method !== "GET")
    command.option("--idempotency-key <key>", "repeat the command safely with the same key");
  if (operation.id === "messages.send")
    command.option("--stream", "append the text of standard input as it arrives; Ctrl-C cancels the message");
  if (operation.id === "privacy.erase") command.option("--wait", "wait until the erasure is done");
  if (isDeletion(operation)) command.option("--yes", "do not ask for confirmation");
}

function createArgument(field: FieldData): Argument {
  const name = field.kind === "strings" ? `${field.name}...` : field.name;
  const argument = new Argument(field.isOptionalArgument ? `[${name}]` : `<${name}>`, field.description);
  if (field.kind === "boolean") return argument.choices(["true", "false"]);
  return field.choices ? argument.choices([...field.choices]) : argument;
}

/** `owner` is an optional object that the field is in. */
function addOption(command: Command, field: FieldData, name: string, owner?: string): void {
  if (field.fields) {
    const inside = field.required ? owner : field.name;
    for (const inner of field.fields) addOption(command, inner, `${name}_${inner.name}`, inside);
    return;
  }
  const flag = `--${optionName(name)}`;
  const description = [
    field.description,
    field.impliedBy && "By default it follows from the other options.",
    field.kind === "map" && "The option can be repeated.",
    field.kind === "time" && "A date such as 2026-12-31T00:00:00Z is accepted, too.",
    field.required && (owner === undefined ? "Required." : `Required if there is a ${owner}.`),
  ]
    .filter(Boolean)
    .join(" ");
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

function placeholderOf({ kind }: FieldData): string {
  const placeholders = {
    strings: "values...",
    map: "key=value",
    integer: "number",
    number: "number",
    time: "time",
    json: "json",
  };
  return Object.entries(placeholders).find(([each]) => each === kind)?.[1] ?? "text";
}
