import type { Fail } from "./call";
import type { Fetched } from "./walk";

/** The items and the cursor of an answer `{[name]: [...], next?}`. */
export function readPage<Item>(data: unknown, name: string, fail: Fail): Fetched<Item> {
  const { [name]: items, next } = Object(data) as Record<string, unknown>;
  if (!Array.isArray(items)) throw fail(`a page without ${name}`);
  if (next != null && typeof next !== "string") throw fail("a cursor that is no string");
  return { items, next: next || undefined };
}
