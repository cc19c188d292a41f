import type { ChatClient } from "@madang/client";
import { confirm } from "../prompts";
import type { Session } from "../session";
import { parseScalar } from "./add-options";
import { attributeName, isPositional } from "./naming";
import type { FieldData, OperationData, Options } from "./operation";
import { readBody } from "./read-body";

/** Calls the SDK method of an operation with the values of a command line and prints what it returns. */
export async function runOperation(
  operation: OperationData,
  values: readonly (string | readonly string[])[],
  options: Options,
  session: Session,
): Promise<void> {
  const { io, output } = session;
  const given = readArguments(operation, values);
  if (operation.method === "DELETE" && options.yes !== true) {
    const names = values.flat().join(" ");
    const agreed = await confirm(io, `${operation.summary}${names && `: ${names}`}?`);
    if (!agreed) return output.note("Nothing was deleted.");
  }
  const body = operation.body.length > 0 ? await readBody(operation, given, options, io) : undefined;
  const [onlyField] = operation.body.length === 1 ? operation.body : [];
  const callOptions = {
    signal: io.signal,
    ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
  };
  // The arguments of every SDK method: the path parameters, the filters, the body or its only field, the options.
  const result: unknown = callMethod(await session.connect(), operation.id, [
    ...operation.path.map(({ name }) => given[name]),
    ...(operation.query.length > 0 ? [readFilters(operation, options)] : []),
    ...(body === undefined ? [] : [onlyField ? body[onlyField.name] : body]),
    callOptions,
  ]);
  if (isPager(result)) return output.list(itemsOf(result));
  const data = await result;
  if (Array.isArray(data)) return output.list([data]);
  if (data === undefined) return output.note("Done.");
  return output.item(data);
}

function readArguments(
  operation: OperationData,
  values: readonly (string | readonly string[])[],
): Record<string, unknown> {
  const fields = [...operation.path, ...operation.body.filter((field) => isPositional(operation, field))];
  return Object.fromEntries(
    fields.map((field, index) => {
      const value = values[index];
      return [field.name, typeof value === "string" ? parseScalar(field, value) : value];
    }),
  );
}

/** A page is as large as the service allows, or as the caller needs. */
function readFilters({ query }: OperationData, options: Options): Options {
  const filters = query
    .filter(({ name }) => name !== "limit" && name !== "next")
    .map(({ name }) => [name, options[attributeName(name)]] as const)
    .filter(([, value]) => value !== undefined);
  const { limit, cursor } = options;
  const size = query.find(({ name }) => name === "limit");
  return {
    ...Object.fromEntries(filters),
    ...(cursor !== undefined && { cursor }),
    ...(typeof limit === "number" && { maxItems: limit }),
    ...(size?.max !== undefined && cursor === undefined && { pageSize: pageSizeFor(size, limit) }),
  };
}

function pageSizeFor({ min = 1, max = min }: FieldData, limit: unknown): number {
  return typeof limit === "number" ? Math.min(max, Math.max(min, limit)) : max;
}

function callMethod(chat: ChatClient, id: string, input: readonly unknown[]): unknown {
  const names = id.split(".");
  const resource: object = names
    .slice(0, -1)
    .reduce((object: object, name) => Reflect.get(object, name), chat);
  const method: unknown = Reflect.get(resource, names.at(-1) ?? "");
  // The SDK has a method for every operation of the contract, and a test calls each.
  if (typeof method !== "function") throw new Error(`The SDK has no method ${id}.`);
  return Reflect.apply(method, resource, input);
}

interface Pages {
  pages(): AsyncIterable<{ readonly items: readonly unknown[] }>;
}

/** A list is fetched while it is printed. It must not be awaited: that returns its first page. */
function isPager(value: unknown): value is Pages {
  return typeof value === "object" && value !== null && "pages" in value;
}

async function* itemsOf(list: Pages): AsyncGenerator<readonly unknown[]> {
  for await (const { items } of list.pages()) yield items;
}
