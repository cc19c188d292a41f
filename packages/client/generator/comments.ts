import {
  bodyErrors,
  type ErrorCode,
  errorCodesOf,
  errors,
  masterBodyErrors,
  type OperationWithSchemas,
} from "@madang/contract";
import { camelCase } from "./model.ts";
import { isList } from "./print-queries.ts";
import type { Payload } from "./print-resources.ts";

/** The codes that a method does not explain: most have them. */
const common: ReadonlySet<ErrorCode> = new Set([
  ...bodyErrors,
  ...masterBodyErrors,
  "invalid_cursor",
] as const);

/** The paragraphs and tags of the comment of a method. */
export function paragraphs(operation: OperationWithSchemas, payload: Payload | undefined): string[] {
  const { path, sdk, hasEmptyPages, sample } = operation;
  const range = describeQuery(operation);
  return [
    `${inThirdPerson(operation.summary)}.`,
    "",
    [
      sdk.description ?? inWordsOfSdk(withArguments(operation.description, operation, payload)),
      ...(hasEmptyPages ? ["A loop over the items goes on by itself."] : []),
      ...(sdk.isRetried === false ? ["A failed call is not repeated by itself."] : []),
    ].join(" "),
    "",
    ...path.map(({ name, description }) => `@param ${camelCase(name)} ${description}`),
    ...(range ? [`@param query ${range}`] : []),
    ...(payload ? [`@param ${payload.name} ${payload.description}`] : []),
    `@param options Timeouts, retries, headers and signal of ${isList(operation) ? "each request" : "this call"}.`,
    ...listErrors(operation),
    `@example ${sample}`,
  ];
}

/** The names of path parameters and of the only field of a body are those of the arguments. */
function withArguments(text: string, { path }: OperationWithSchemas, payload: Payload | undefined): string {
  const names = [...path.map(({ name }) => name), ...(payload?.field ? [payload.field] : [])];
  return names.reduce((changed, name) => changed.replaceAll(`\`${name}\``, `\`${camelCase(name)}\``), text);
}

/** `Lists the users` for `List the users`. */
function inThirdPerson(summary: string): string {
  const [verb = "", conjunction, other, ...rest] = summary.split(" ");
  const words = conjunction === "or" && other ? [verb, "or", inflect(other)] : [verb, conjunction, other];
  return [inflect(verb), ...words.slice(1), ...rest].filter((word) => word !== undefined).join(" ");
}

const inflect = (verb: string) => (/(?:s|x|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`);

/** The SDK has its own words for pages, and takes several values as an array. */
export function inWordsOfSdk(text: string): string {
  return text
    .replaceAll("`limit`", "`pageSize`")
    .replaceAll("a `next`", "a `nextCursor`")
    .replaceAll("as `next`", "as `cursor`")
    .replaceAll(" ids, separated by commas", " ids");
}

function describeQuery(operation: OperationWithSchemas): string | undefined {
  const { query } = operation;
  const own = query.filter(({ name }) => name !== "limit" && name !== "next");
  const [only, ...others] = own;
  const names = own.map(({ name }) => `\`${name}\``).join(", ");
  if (!isList(operation)) {
    if (only === undefined) return undefined;
    return others.length > 0 ? `${names}.` : `${names}: ${only.description}`;
  }
  const { minimum, maximum, default: size } = query.find(({ name }) => name === "limit")?.schema ?? {};
  const where = names ? `${names}; where to begin` : "Where to begin";
  const format = (value: unknown) => Number(value).toLocaleString("en-US");
  return minimum === undefined
    ? `${where}.`
    : `${where}, and the page size: ${format(minimum)} to ${format(maximum)}, default ${format(size)}.`;
}

/** The codes by class. What each means is a sentence of its own in `ErrorStatuses`: here it would stand a hundred times. */
function listErrors(operation: OperationWithSchemas): string[] {
  const classes = new Map<string, string[]>();
  for (const code of errorCodesOf(operation).filter((each) => !common.has(each))) {
    const name = classOf(errors[code].status);
    classes.set(name, [...(classes.get(name) ?? []), `\`${code}\``]);
  }
  return [...classes].map(([name, codes]) => `@throws \`${name}\`: ${codes.join(", ")}.`);
}

function classOf(status: number): string {
  const classes: Readonly<Record<number, string>> = {
    400: "BadRequestError",
    403: "PermissionError",
    404: "NotFoundError",
    409: "ConflictError",
    429: "RateLimitError",
  };
  return classes[status] ?? (status >= 500 ? "ServerError" : "ApiError");
}

const maxWidth = 120;

/** A comment with these paragraphs. Lines that follow a tag belong to it. */
export function commentOf(texts: readonly string[], indent: string): string {
  const [only = "", ...others] = texts;
  if (others.length === 0 && only.length < maxWidth) return `${indent}/** ${only} */`;
  const lines = texts.flatMap((text) => (text.startsWith("@example") ? text.split("\n") : wrap(text)));
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join("\n");
}

function wrap(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length >= maxWidth) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
