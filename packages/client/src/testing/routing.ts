import { type Operation as ContractOperation, operations } from "@madang/contract";
import type { Operation } from "../error-codes";
import { type Route, routes } from "../routes";
import type { Accepted } from "./handler";
import type { Query } from "./paging";
import { Refusal } from "./refuse";

/** A request that belongs to an operation. */
export interface Routed {
  readonly name: Operation;
  readonly operation: ContractOperation;
  /** Holds every part of the request against the contract, as the service does. */
  accept(): Accepted;
}

/** Finds the operation of a request. A path in front of `/v1` is passed over. */
export function findRoute(method: string, url: URL, body: string | undefined): Routed {
  const found = Object.entries<Route>(routes).flatMap(([name, candidate]) => {
    const pattern = new RegExp(`${candidate.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const params = candidate.method === method ? pattern.exec(url.pathname) : null;
    return params ? [{ name: name as Operation, path: candidate.path, params: params.groups ?? {} }] : [];
  })[0];
  const operation = operations.find(({ route }) => route.path === found?.path && route.method === method);
  if (!found || !operation) throw new Refusal("route_not_found", `There is no ${method} ${url.pathname}.`);
  const { route: declared } = operation;
  return {
    name: found.name,
    operation,
    accept: () => ({
      params: accept("path", declared.pathParams, decode(found.params)),
      // Parsed by the contract, the page size is a number.
      query: accept<object>("query", declared.query, Object.fromEntries(url.searchParams)) as Query,
      // Every handler names the fields that the contract has just checked.
      body: accept("body", "body" in declared ? declared.body : undefined, parse(body)) as never,
    }),
  };
}

interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    data?: unknown;
    error?: { issues: { path: PropertyKey[]; message: string; keys?: string[] }[] };
  };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "safeParse" in value;
}

function accept<Part>(part: "path" | "query" | "body", schema: unknown, value: Part): Part {
  if (!isSchema(schema)) return value;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data as Part;
  const fields = error?.issues.flatMap(({ path, message, keys }) =>
    // An unknown field is named by itself, not by the object that it stands in.
    (keys ?? [undefined]).map((key) => ({
      in: part,
      path: [...path, ...(key === undefined ? [] : [key])].join("."),
      message,
    })),
  );
  throw new Refusal("invalid_request", "The request breaks a rule.", fields);
}

function parse(body: string | undefined): unknown {
  if (body === undefined || body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal("invalid_json", "The body is not JSON.");
  }
}

function decode(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
}
