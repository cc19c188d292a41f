import { ValidationError } from "../errors/errors";
import type { Operation } from "../generated/types";

// No cursor of the service begins like this.
const prefix = "sdk:";

/** The fields of an item that never change: its ids and the time of its creation. */
export type Mark = Readonly<Record<string, unknown>>;

/** What a cursor of the SDK contains, for a position that the service has no cursor for. */
export interface Position {
  /** The query of the page. */
  readonly query: object;
  /** The last item that was taken from the page. Absent for the beginning of the page. */
  readonly mark?: Mark | undefined;
}

export function formatCursor(position: Position): string {
  return prefix + encodeURIComponent(JSON.stringify(position));
}

/** The position that a cursor stands for, whether of the SDK or of the service. */
export function parseCursor(cursor: string, operation: Operation): Position {
  if (!cursor.startsWith(prefix)) return { query: { next: cursor } };
  try {
    return JSON.parse(decodeURIComponent(cursor.slice(prefix.length)));
  } catch {
    throw new ValidationError("cursor", "Is not valid.", operation);
  }
}

export function markOf(item: unknown): Mark {
  const fields = Object.entries(Object(item)).filter(([name]) => /_id$|^created_at$/.test(name));
  return Object.fromEntries(fields);
}

/** The items after the marked one; undefined when the marked one would be on a later page. */
export function takeItemsAfter<Item>(items: Item[], mark: Mark): Item[] | undefined {
  const marked = Object.entries(mark);
  const at = items.findIndex((item) => marked.every(([name, value]) => Object(item)[name] === value));
  if (at >= 0) return items.slice(at + 1);
  // The marked item was deleted: the list goes on with the items that are not newer.
  const older = items.findIndex((item) => Object(item).created_at <= Number(mark.created_at));
  return older < 0 ? undefined : items.slice(older);
}
