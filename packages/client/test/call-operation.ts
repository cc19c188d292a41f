import { limits, type Operation } from "@madang/contract";
import type { Request, Response } from "@madang/contract-tests";
import { expect } from "vitest";
import type { ChatClient } from "../src/client";

/** A recorded request whose parameters occur once each, as those of the SDK do. */
export type Sendable = Request & { readonly query?: Readonly<Record<string, string>> };

/**
 * Calls the SDK method of an operation: `chat.users.meta.merge` for `users.meta.merge`. The arguments are the path
 * parameters, then the filters of a list, or the body; of a body with a single field, that field.
 * Undefined: the parameters of the method cannot express the request.
 */
export function callOperation(
  chat: ChatClient,
  operation: Operation,
  request: Sendable,
): (() => Promise<unknown>) | undefined {
  const { id, route, variantOf = id } = operation;
  const hasFilters = route.method === "GET" && fieldsOf(route.query).length > 0;
  const payload = hasFilters ? toListOptions(request) : toPayload(operation, request);
  if (payload === undefined) return undefined;
  const names = variantOf.split(".");
  const resource = names.slice(0, -1).reduce((object, name) => Reflect.get(object, name), chat as object);
  const method = Reflect.get(resource, String(names.at(-1)));
  const options = { idempotencyKey: request.headers?.["idempotency-key"] };
  return async () => {
    const result = await method.call(resource, ...toPath(operation, request), ...payload, options);
    if (id === manyUsers) return { results: await collect(result) };
    return toResult(isList(operation) ? await result.firstPage() : result);
  };
}

/** What the method returns for a recorded response. */
export function toExpected(
  operation: Operation,
  { body, headers }: Response,
  { query = {} }: Sendable,
): unknown {
  if (operation.id === "channels.create")
    return { channel: body, created: headers?.["x-channel-created"] === "true" };
  if (!isList(operation)) return body;
  if (Array.isArray(body)) {
    // The SDK makes the cursor of a bare array itself; a short one is the last.
    const isLast = body.length < Number(query.limit ?? 15);
    return { items: body, ...(!isLast && { nextCursor: expect.stringMatching(/^sdk:/) }) };
  }
  const { next, ...fields } = Object(body);
  const [[name, items] = ["", undefined]] = Object.entries(fields).filter(([, value]) =>
    Array.isArray(value),
  );
  const { [name]: _, ...extra } = fields;
  return { ...extra, items, ...(next !== undefined && { nextCursor: next }) };
}

function toResult(result: unknown): unknown {
  if (typeof result !== "object" || result === null || !("itemsSoFar" in result)) return result;
  const { index, itemsSoFar, reached, ...page } = result as Record<string, unknown>;
  return page;
}

function toPath({ id }: Operation, { params = {} }: Sendable): unknown[] {
  const { key, ...rest } = params;
  // The variants whose methods take several values where the path has one.
  if (id.endsWith(".meta.deleteKey")) return [...Object.values(rest), [key]];
  return Object.values(params);
}

function toPayload({ id, route }: Operation, { body }: Sendable): unknown[] | undefined {
  const fields = "body" in route ? fieldsOf(route.body) : [];
  if (fields.length === 0) return body === undefined ? [] : undefined;
  // All of an optional body may be left out, except by the methods that require its only field.
  const isOptional = "body" in route && Object(route.body).unwrap && !id.endsWith(".meta.merge");
  if (body === undefined && isOptional) return [undefined];
  const [only = ""] = fields;
  const payload = fields.length === 1 ? Object(body)[only] : body;
  if (id === manyUsers && !isOneRequest(payload)) return undefined;
  return payload === undefined ? undefined : [payload];
}

/** Its method takes any number of users, and yields a result for each. */
const manyUsers = "users.upsertMany";

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Whether the method sends these users in one request. */
const isOneRequest = (users: readonly { user_id?: unknown }[] = []): boolean =>
  users.length > 0 &&
  users.length <= limits.usersPerUpsert.max &&
  new Set(users.map(({ user_id: id }) => id)).size === users.length;

/** Only the cursor is sent, and a page size is a number. */
function toListOptions({ query = {} }: Sendable): unknown[] | undefined {
  const { limit, next, ...sent } = query;
  // A list of ids is an array.
  const filters = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      name.endsWith("_ids") ? value.split(",") : toOption(value),
    ]),
  );
  if (next !== undefined) return Object.keys(query).length === 1 ? [{ cursor: next }] : undefined;
  if (limit === undefined) return [filters];
  return String(Number(limit)) === limit ? [{ ...filters, pageSize: Number(limit) }] : undefined;
}

/** A boolean is sent as its name. */
const toOption = (value: string) => (value === "true" || value === "false" ? value === "true" : value);

function isList({ route }: Operation): boolean {
  return fieldsOf(route.query).includes("next");
}

/** The part of a Zod type that is read. */
interface Schema {
  shape?: Record<string, unknown>;
  options?: unknown[];
  unwrap?(): unknown;
}

function fieldsOf(schema: unknown): string[] {
  const { shape, options, unwrap } = Object(schema) as Schema;
  if (shape) return Object.keys(shape);
  if (options) return options.flatMap(fieldsOf);
  return unwrap ? fieldsOf(unwrap.call(schema)) : [];
}
