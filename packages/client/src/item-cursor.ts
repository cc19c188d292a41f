import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";

// No cursor of the service begins like this.
const prefix = "after:";

/** The fields of an item that never change: its ids and the time of its creation. */
export type Mark = Readonly<Record<string, unknown>>;

/** A position within a page: the query of the page, and the mark of the last item that was taken from it. */
export interface Position {
  readonly query: object;
  readonly mark: Mark;
}

export function markOf(item: unknown): Mark {
  const fields = Object.entries(Object(item)).filter(([name]) => name === "created_at" || /_id$/.test(name));
  return Object.fromEntries(fields);
}

export function formatItemCursor(position: Position): string {
  return prefix + encodeURIComponent(JSON.stringify(position));
}

/** The position of a cursor that `formatItemCursor` made, or undefined for a cursor of the service. */
export function parseItemCursor(cursor: string | undefined, operation: Operation): Position | undefined {
  if (!cursor?.startsWith(prefix)) return undefined;
  try {
    return JSON.parse(decodeURIComponent(cursor.slice(prefix.length)));
  } catch {
    throw new ValidationError("option", "cursor", "Was changed or truncated.", operation);
  }
}

/** The items after the marked one; undefined when the marked one would be on a later page. */
export function takeItemsAfter<Item>(items: readonly Item[], mark: Mark): Item[] | undefined {
  const names = Object.keys(mark);
  const at = items.findIndex((item) => names.every((name) => Reflect.get(Object(item), name) === mark[name]));
  if (at >= 0) return items.slice(at + 1);
  // The marked item was deleted: the list goes on with the items that are not newer.
  const older = items.findIndex((item) => Number(Object(item).created_at) <= Number(mark.created_at));
  return older < 0 ? undefined : items.slice(older);
}
