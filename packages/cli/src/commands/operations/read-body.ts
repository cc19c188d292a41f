import { readFile } from "node:fs/promises";
import { withoutMark } from "../../data/tables/csv";
import { UsageError } from "../../terminal/exit-codes";
import { type Io, readInput } from "../../terminal/io";
import { messageOf } from "../../terminal/output/describe-error";
import { askSecret } from "../../terminal/prompts";
import { attributeName, isPositional, optionName } from "./naming";
import type { FieldData, OperationData, Options } from "./operation";

/** The body of a request: that of `--input`, then the arguments and options. */
export async function readBody(
  operation: OperationData,
  given: Readonly<Record<string, unknown>>,
  options: Options,
  io: Io,
): Promise<Record<string, unknown>> {
  const isStream = options.stream === true;
  if (isStream && options.input === "-") throw new UsageError("Standard input is the text of --stream.");
  const body: Record<string, unknown> = await readBodyInput(options.input, io);
  for (const field of operation.body.filter(({ secret }) => !secret)) {
    const value = isPositional(operation, field) ? given[field.name] : readOption(field, field.name, options);
    if (value !== undefined) body[field.name] = value;
  }
  addImplied(operation, body);
  for (const field of operation.body.filter(({ secret }) => secret)) {
    const forms = Object.entries(field.onlyIf ?? {});
    // If nothing says which form it is, the secret does.
    if (forms.some(([name, values]) => !values.includes(String(body[name] ?? values[0])))) continue;
    body[field.name] = await askSecret(io, field.description.replace(/\.$/, ""));
  }
  if (isStream) {
    body.type ??= "text";
    body.content ??= "";
  }
  addImplied(operation, body);
  for (const field of operation.body) {
    if (field.required && body[field.name] === undefined)
      throw new UsageError(`--${optionName(field.name)} is required.`);
  }
  return body;
}

/** A value that follows from another field that is given. */
function addImplied(operation: OperationData, body: Record<string, unknown>): void {
  for (const { name: field, impliedBy = {} } of operation.body) {
    const [, implied] = Object.entries(impliedBy).find(([name]) => body[name] !== undefined) ?? [];
    if (implied !== undefined) body[field] ??= implied;
  }
}

async function readBodyInput(path: unknown, io: Io): Promise<Record<string, unknown>> {
  if (typeof path !== "string") return {};
  const text = path === "-" ? await readInput(io) : await readFile(path, "utf8").catch(explainUnreadable);
  try {
    const value: unknown = JSON.parse(withoutMark(text));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new UsageError(`${path === "-" ? "Standard input" : path} is not an object in JSON.`);
}

function explainUnreadable(error: unknown): never {
  throw new UsageError(`--input cannot be read: ${messageOf(error)}`);
}

function readOption({ fields }: FieldData, name: string, options: Options): unknown {
  if (fields === undefined) return options[attributeName(name)];
  const entries = fields
    .map((inner) => [inner.name, readOption(inner, `${name}_${inner.name}`, options)] as const)
    .filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
