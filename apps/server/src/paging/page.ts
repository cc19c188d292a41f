import type { Position } from "./position";

/**
 * The first `size` rows as a page. The query selects one extra row, so `last`, the position where the page ends, is
 * present only when a further row exists.
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
