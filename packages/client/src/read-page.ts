import type { PageData } from "./page-iterator";
import { createParseError, type ReceivedResponse } from "./response";

/** The items and the cursor of a body `{[name]: [...], next?}`. */
export function readPage<Item>(data: unknown, name: string, response: ReceivedResponse): PageData<Item> {
  const { [name]: items, next } = Object(data) as Record<string, unknown>;
  if (!Array.isArray(items)) throw createParseError(response, `a page without ${name}`);
  if (next != null && typeof next !== "string")
    throw createParseError(response, "a cursor that is not a string");
  return { items, next: next || undefined };
}
