import { type OperationId, operations } from "@madang/contract";
import {
  type Interaction,
  type Request,
  type Response,
  standIns,
  volatileFields,
} from "@madang/contract-tests";
import { formatQuery } from "./query";
import { masterKey } from "./server";
import type { Found } from "./world";

/** Sends the request of an interaction as it is recorded, byte by byte, and gives the answer in the form of a record. */
export async function replay(
  url: string,
  { operation, request = {} }: Interaction & { operation: OperationId },
  found: Found,
): Promise<Response> {
  const { method, path } = requireRoute(operation);
  const real = putIn(request, found);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(real.params?.[name] ?? ""));
  const body = real.raw ?? (real.body === undefined ? undefined : JSON.stringify(real.body));
  const response = await fetch(
    url + filled + (real.rawQuery === undefined ? formatQuery(real.query) : `?${real.rawQuery}`),
    {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...authorization(real, found),
        ...real.headers,
      },
      ...(body !== undefined && { body }),
    },
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(text !== "" && { body: JSON.parse(text) }),
  };
}

/**
 * The answer as it would have been recorded: what differs from run to run is given the recorded value where it is there
 * and of the same type. Headers that no record speaks of are left out.
 */
export function settle(answer: Response, recorded: Response): Response {
  const headers = Object.keys(recorded.headers ?? {}).map((name) => [name, answer.headers?.[name]]);
  return {
    status: answer.status,
    ...(recorded.headers && { headers: Object.fromEntries(headers) }),
    ...("body" in answer && { body: settleValue(answer.body, recorded.body) }),
  };
}

function settleValue(value: unknown, recorded: unknown): unknown {
  if (Array.isArray(value))
    return value.map((entry, index) =>
      settleValue(entry, Array.isArray(recorded) ? recorded[index] : undefined),
    );
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const known: unknown = Object.entries(Object(recorded)).find(([key]) => key === name)?.[1];
      const isVolatile = volatileFields.has(name) && typeof field === "string" && field !== "";
      return [name, isVolatile && typeof known === "string" ? known : settleValue(field, known)];
    }),
  );
}

function requireRoute(operation: OperationId) {
  const known = operations.find(({ id }) => id === operation);
  if (known === undefined) throw new Error(`The contract has no operation ${operation}.`);
  return known.route;
}

function authorization(
  { key = "master" }: Request,
  { subKeys, deletedSubKey }: Found,
): Record<string, string> {
  if (key === "none") return {};
  const keys = {
    master: masterKey,
    sub: subKeys[0],
    deleted: deletedSubKey,
    unknown: `sk_${"A".repeat(64)}`,
  };
  return { authorization: `Bearer ${keys[key]}` };
}

/** The real values where a record has stand-ins. Bytes have none. */
function putIn(request: Request, { subKeys, deletedSubKey, next = "" }: Found): Request {
  const values = new Map([
    [standIns.earlierNext, next],
    [standIns.changedNext, next.startsWith("f") ? `e${next.slice(1)}` : `f${next.slice(1)}`],
    [standIns.cutNext, next.slice(0, -1)],
    [standIns.existingSubKey, subKeys[0] ?? ""],
    [standIns.deletedSubKey, deletedSubKey ?? ""],
  ]);
  const replace = (value: unknown): unknown => {
    if (typeof value === "string") return values.get(value) ?? value.replace(standIns.masterKey, masterKey);
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replace(field)]));
  };
  // Texts are replaced by texts, so that the form stays.
  return replace(request) as Request;
}
