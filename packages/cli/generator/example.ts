import type { ExampleCall } from "@madang/contract";
import { commandName, isDeletion, isPositional, optionName } from "../src/commands/operations/naming.ts";
import type { FieldData, OperationData } from "../src/commands/operations/operation.ts";

/** The arguments that send the first example of an operation. A secret is not among them. */
export function exampleArguments(operation: OperationData, { params, query, body }: ExampleCall): string[] {
  const values: Record<string, unknown> = { ...params, ...Object(body) };
  const fields = [...operation.path, ...operation.body].filter(({ secret }) => !secret);
  const positional = fields.filter(
    (field) => operation.path.includes(field) || isPositional(operation, field),
  );
  const options = fields.filter((field) => !positional.includes(field) && field.impliedBy === undefined);
  const filters = operation.query.filter(({ name }) => name !== "limit");
  return [
    ...operation.id.split(".").map(commandName),
    ...positional.flatMap((field) => printValue(field, values[field.name])),
    ...filters.flatMap((field) => printOption(field, field.name, query[field.name])),
    ...options.flatMap((field) => printOption(field, field.name, values[field.name])),
    ...(isDeletion(operation) ? ["--yes"] : []),
  ];
}

function printOption(field: FieldData, name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (field.fields)
    return field.fields.flatMap((inner) =>
      printOption(inner, `${name}_${inner.name}`, Object(value)[inner.name]),
    );
  if (field.kind === "boolean")
    return [value === true ? `--${optionName(name)}` : `--no-${optionName(name)}`];
  if (field.kind === "map")
    return printValue(field, value).flatMap((pair) => [`--${optionName(name)}`, pair]);
  return [`--${optionName(name)}`, ...printValue(field, value)];
}

function printValue(field: FieldData, value: unknown): string[] {
  if (field.kind === "strings" && Array.isArray(value)) return value.map(String);
  if (field.kind === "map") return Object.entries(Object(value)).map(([key, text]) => `${key}=${text}`);
  if (field.kind === "json") return [JSON.stringify(value)];
  return [String(value)];
}
