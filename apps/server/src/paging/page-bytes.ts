/**
 * A page ends with the row with which it has this many bytes, so that no page takes much more memory, whatever its rows contain.
 * Its cursor continues there.
 */
export const maxPageBytes = 2 ** 20;

/**
 * The rows of a subquery that a page can have, and one more. `size` is a lower bound of what `fillPage` counts for a row, in SQL. Of
 * a column it costs little: PostgreSQL stores the length of a value beside it.
 */
export const readPage = (
  rows: string,
  order: string,
  size: string,
  maxBytes: number | string = maxPageBytes,
): string =>
  `(SELECT * FROM (
      SELECT *, sum(${size}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS bytes_before
      FROM (${rows}) AS every) AS measured
    WHERE COALESCE(bytes_before, 0) < ${maxBytes} ORDER BY ${order})`;

/** How many of the rows a page has. It is full if it may not have another one. */
export function fillPage<Row>(
  rows: readonly Row[],
  size: number,
  bytesOf: (row: Row) => number,
  maxBytes = maxPageBytes,
): { readonly count: number; readonly isFull: boolean } {
  let count = 0;
  let bytes = 0;
  for (const row of rows) {
    if (count === size || bytes >= maxBytes) break;
    bytes += bytesOf(row);
    count += 1;
  }
  return { count, isFull: count === size || bytes >= maxBytes };
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
