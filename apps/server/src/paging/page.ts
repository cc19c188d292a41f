/**
 * The first `size` rows as a page. The query selects one extra row, so `last`, the position where the page ends, is
 * present only when a further row exists.
 */
export function takePage<Row>(
  rows: readonly Row[],
  size: number,
): { items: readonly Row[]; last: Row | undefined } {
  if (rows.length <= size) return { items: rows, last: undefined };
  const items = rows.slice(0, size);
  return { items, last: items.at(-1) };
}
