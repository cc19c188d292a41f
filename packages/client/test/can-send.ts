import type { Operation } from "@madang/contract";
import type { Request } from "@madang/contract-tests";

/**
 * Whether the types of the SDK allow a request: with a key as the SDK sends it, known parameters once, and a JSON body whose
 * fields are known, complete and of their types. A request that breaks another rule can be sent.
 */
export function canSend(
  { route }: Operation,
  { query = {}, body, raw, rawQuery, key, headers = {} }: Request,
): boolean {
  const isPlain =
    raw === undefined &&
    rawQuery === undefined &&
    key !== "none" &&
    Object.keys(headers).every((name) => name === "idempotency-key");
  const isOnce = Object.values(query).every((value) => typeof value === "string");
  return (
    isPlain && isOnce && isTyped(route.query, query) && ("body" in route ? isTyped(route.body, body) : true)
  );
}

function isTyped(schema: unknown, value: unknown): boolean {
  if (typeof schema !== "object" || schema === null || !("safeParse" in schema)) return true;
  const { error } = (schema as Schema).safeParse(value);
  return (error?.issues ?? []).every(
    ({ code, message }) => !typeIssues.has(code) && !/must be (a string|an object)/i.test(message),
  );
}

/** The part of a Zod type that is used. */
interface Schema {
  safeParse(value: unknown): { error?: { issues: readonly { code: string; message: string }[] } };
}

const typeIssues = new Set(["invalid_type", "unrecognized_keys", "invalid_union", "invalid_value"]);
