import type { Position } from "./position";

/**
 * Takes a page out of rows of which one more than a page was asked for. `last` is where the page ends, and is there
 * only when a further row exists.
 */
export function takePage<Row extends Position>(
  rows: readonly Row[],
  size: number,
): { items: readonly Row[]; last: Position | undefined } {
  if (rows.length <= size) return { items: rows, last: undefined };
  const items = rows.slice(0, size);
  const end = items.at(-1);
  return { items, last: end && { createdAt: end.createdAt, pk: end.pk } };
}
