import { hash } from "node:crypto";
import { IdIndex } from "../../data/files/id-index";
import type { Row } from "../../data/tables/column";
import type { RowEntry } from "../../data/tables/tables";

export interface Difference {
  /** The rows of the file. */
  readonly rows: number;
  /** Rows that only the server has: newer ones, in general. */
  readonly added: number;
  readonly changed: number;
  /** Rows that only the file has. */
  readonly removed: number;
}

export interface Comparison {
  readonly idOf: (row: Row) => string;
  /** What must be equal. */
  readonly valuesOf: (row: Row) => unknown;
  readonly onChanged?: (entry: RowEntry) => void;
  readonly onRemoved?: (entry: RowEntry) => void;
}

/** Compares the rows of a file with those of the server, in any order. Of the latter, digests of 32 bits are in memory. */
export async function compareRows(
  file: AsyncIterable<RowEntry>,
  server: AsyncIterable<readonly Row[]>,
  { idOf, valuesOf, onChanged, onRemoved }: Comparison,
): Promise<Difference> {
  const digests = new IdIndex();
  for await (const rows of server) for (const row of rows) digests.add(idOf(row), digestOf(valuesOf(row)));
  let [found, changed, removed] = [0, 0, 0];
  for await (const entry of file) {
    const digest = digests.get(idOf(entry.row));
    if (digest === undefined) {
      removed += 1;
      onRemoved?.(entry);
      continue;
    }
    found += 1;
    if (digest === digestOf(valuesOf(entry.row))) continue;
    changed += 1;
    onChanged?.(entry);
  }
  return { rows: found + removed, added: digests.size - found, changed, removed };
}

const digestOf = (values: unknown): number =>
  hash("sha256", JSON.stringify(sortKeys(values)), "buffer").readUInt32LE();

/** The order of the names in an object is of no importance. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).filter(([, field]) => field !== undefined);
  return pairs
    .map(([name, field]) => [name, sortKeys(field)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
