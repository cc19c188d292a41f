import { type ChatClient, ids, type NewStreamedMessage, type Operation } from "@madang/client";
import { isId } from "@madang/contract/limits";
import { type Pages, pagesOf } from "../../data/lists/pages";
import { columnsOfList } from "../../data/tables/tables";
import type { Session } from "../../session";
import { confirm } from "../../terminal/prompts";
import { waitForErasure } from "../privacy/wait-for-erasure";
import { attributeName, isCreation, isDeletion, isPaged, isPositional } from "./naming";
import type { FieldData, OperationData, Options } from "./operation";
import { parseScalar } from "./parse-value";
import { readBody } from "./read-body";
import { streamMessage } from "./stream-message";

/** Calls an operation with the values of a command line and prints what it returns. */
export async function runOperation(
  operation: OperationData,
  values: readonly (string | readonly string[])[],
  options: Options,
  session: Session,
): Promise<void> {
  const { io, output } = session;
  const given = readArguments(operation, values);
  if (isDeletion(operation) && options.yes !== true) {
    const names = values.flat().join(" ");
    const agreed = await confirm(io, `${operation.summary}${names && `: ${names}`}?`);
    if (!agreed) return output.note("Nothing was deleted.");
  }
  const body = operation.body.length > 0 ? await readBody(operation, given, options, io) : undefined;
  const callOptions = {
    signal: io.signal,
    ...(typeof options.idempotencyKey === "string" && { idempotencyKey: options.idempotencyKey }),
  };
  const path = operation.path.map(({ name }) => [name, String(given[name])] as const);
  // What the caller has given is the same in every row.
  const omitted = path.map(([name]) => name);
  const chat = await session.connect();
  const columns = options.csv === true ? columnsOfList(operation.id) : undefined;
  const printList = (items: Parameters<Session["output"]["list"]>[0]) =>
    columns === undefined ? output.list(items, omitted) : output.csv(items, columns);
  if (isPaged(operation)) {
    const ids = path.map(([, id]) => id);
    const input = [...ids, readPageOptions(operation, options), callOptions];
    return printList(pagesOf(startList(chat, operation.id, input)));
  }
  if (options.stream === true) {
    // The server checks it.
    const message = body as unknown as NewStreamedMessage;
    return output.item(await streamMessage(chat, String(given.channel_id), message, io, callOptions));
  }
  const query = readQuery(operation, options);
  const secret = operation.body.find((field) => field.secret);
  const parts = {
    path: Object.fromEntries(path),
    query,
    body,
    ...(secret && body && { secret: String(body[secret.name]) }),
  };
  // The SDK has the operations of the contract, as the commands do.
  const result = await chat.request(operation.id as Operation, parts, callOptions);
  const isErasure = operation.id === "privacy.erase" && options.wait === true;
  const data = isErasure ? await waitForErasure(session, Object(result).erasure_id) : result;
  if (Array.isArray(data)) return printList([data]);
  if (data === undefined) return output.note("Done.");
  // Not a list of the SDK, because it has no end.
  if (operation.id !== "events.list" || session.options().json) return output.item(data);
  const { events, next } = Object(data);
  await output.list([events], omitted);
  output.note(`next: ${next}`);
}

function readArguments(
  operation: OperationData,
  values: readonly (string | readonly string[])[],
): Record<string, unknown> {
  const fields = [...operation.path, ...operation.body.filter((field) => isPositional(operation, field))];
  return Object.fromEntries(
    fields.map((field, index) => {
      const value = values[index];
      if (field.isOwnId && !isCreation(operation)) return [field.name, encodeId(value)];
      return [field.name, typeof value === "string" ? parseScalar(field, value) : value];
    }),
  );
}

/** An id as an application has it: one that no user or channel can have stands for what `ids.encode` makes of it. */
function encodeId(value: string | readonly string[] | undefined): unknown {
  if (typeof value === "object") return value.map(encodeId);
  return value === undefined || value === "" || isId(value) ? value : ids.encode(value);
}

function readQuery({ query }: OperationData, options: Options): Record<string, unknown> {
  const filters = query.map(({ name }) => [name, options[attributeName(name)]] as const);
  return Object.fromEntries(filters.filter(([, value]) => value !== undefined));
}

/** A page is as large as the service allows, or as the caller needs. */
function readPageOptions(operation: OperationData, options: Options): Options {
  const { limit, ...filters } = readQuery(operation, options);
  const size = operation.query.find(({ name }) => name === "limit");
  return {
    ...filters,
    ...(options.cursor === undefined ? { pageSize: pageSizeFor(size, limit) } : { cursor: options.cursor }),
    ...(limit !== undefined && { maxItems: limit }),
  };
}

function pageSizeFor({ min = 1, max = min }: Partial<FieldData> = {}, limit: unknown): number {
  return typeof limit === "number" ? Math.min(max, Math.max(min, limit)) : max;
}

/** The method of a list: `chat.users.list` for `users.list`. */
function startList(chat: ChatClient, id: string, input: readonly unknown[]): Pages {
  const names = id.split(".");
  const resource: object = names
    .slice(0, -1)
    .reduce((object: object, name) => Reflect.get(object, name), chat);
  const method: unknown = Reflect.get(resource, names.at(-1) ?? "");
  // The SDK has a method for every operation of the contract, and a test calls each.
  if (typeof method !== "function") throw new Error(`The SDK has no method ${id}.`);
  return Reflect.apply(method, resource, input);
}
