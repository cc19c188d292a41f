import type { OperationId } from "@madang/contract";
import {
  type Interaction,
  isVolatile,
  type Key,
  placeholders,
  type Request,
  type Response,
} from "@madang/contract-tests";
import { call, send } from "./call";
import { masterKey } from "./server";
import { type Created, fillIds } from "./world";

/**
 * Sends the request of an interaction, with the values of the created world in place of the placeholders. A token for it comes from
 * `tokenUrl`.
 */
export async function replay(
  url: string,
  { operation, request = {} }: Interaction & { operation: OperationId },
  created: Created,
  tokenUrl = url,
): Promise<Response> {
  const filled = fillIds(fillPlaceholders(request, created), created);
  const headers = {
    ...(request.as === undefined
      ? authorization(request.key, created)
      : { authorization: `Bearer ${await createToken(tokenUrl, request.as)}` }),
    ...filled.headers,
  };
  return send(url, operation, { ...filled, headers });
}

/**
 * The response with the expected value in each volatile field that is a string or a number in both, and without the headers that the
 * interaction does not name. What then differs from the expected response is an error.
 */
export function normalize(response: Response, expected: Response): Response {
  const headers = Object.keys(expected.headers ?? {}).map((name) => [name, response.headers?.[name]]);
  return {
    status: response.status,
    ...(expected.headers && { headers: Object.fromEntries(headers) }),
    ...("body" in response && { body: normalizeValue(response.body, expected.body) }),
  };
}

function normalizeValue(value: unknown, expected: unknown): unknown {
  if (Array.isArray(value))
    return value.map((entry, index) =>
      normalizeValue(entry, Array.isArray(expected) ? expected[index] : undefined),
    );
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const known: unknown = Object.entries(Object(expected)).find(([key]) => key === name)?.[1];
      const isHidden = isVolatile(name, value) && typeof field === typeof known && field !== "";
      return [name, isHidden && typeof field !== "object" ? known : normalizeValue(field, known)];
    }),
  );
}

export async function createToken(url: string, userId: string): Promise<string> {
  const { status, body } = await call(url, "POST", `/v1/users/${userId}/tokens`);
  if (status !== 201) throw new Error(`There is no token for ${userId}: ${JSON.stringify(body)}`);
  return body.token;
}

function authorization(key: Key = "master", { subKeys, deletedSubKey }: Created): Record<string, string> {
  if (key === "none") return {};
  const keys = {
    master: masterKey,
    sub: subKeys[0],
    deleted: deletedSubKey,
    unknown: `sk_${"A".repeat(64)}`,
  };
  return { authorization: `Bearer ${keys[key]}` };
}

function fillPlaceholders(
  request: Request,
  { subKeys, deletedSubKey, next = "", newer = "" }: Created,
): Request {
  const values = new Map([
    [placeholders.next, next],
    [placeholders.newer, newer],
    [placeholders.modifiedNext, next.startsWith("f") ? `e${next.slice(1)}` : `f${next.slice(1)}`],
    [placeholders.truncatedNext, next.slice(0, -1)],
    [placeholders.subKey, subKeys[0] ?? ""],
    [placeholders.deletedSubKey, deletedSubKey ?? ""],
  ]);
  const fill = (value: unknown): unknown => {
    if (typeof value === "string")
      return values.get(value) ?? value.replace(placeholders.masterKey, masterKey);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fill(field)]));
  };
  // Only strings are replaced, and by strings.
  return fill(request) as Request;
}
