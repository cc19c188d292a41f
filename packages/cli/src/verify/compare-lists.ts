import { isDeepStrictEqual } from "node:util";
import type { Row } from "../data/tables";

export interface Difference {
  /** Rows that only the server has: newer ones, in general. */
  added: number;
  changed: number;
  /** Rows that only the file has. */
  removed: number;
}

export interface Comparison {
  readonly idField: string;
  /** The part of a row that the file can have. */
  readonly project: (row: Row) => Row;
}

/** Compares two lists that are newest first. Only rows of one time are in memory. */
export async function compareLists(
  file: AsyncIterable<readonly Row[]>,
  server: AsyncIterable<readonly Row[]>,
  { idField, project }: Comparison,
): Promise<Difference> {
  const difference = { added: 0, changed: 0, removed: 0 };
  const [ours, theirs] = [groupByTime(file, idField), groupByTime(server, idField)];
  let [own, their] = [await ours.next(), await theirs.next()];
  while (!own.done || !their.done) {
    const order = (own.done ? -1 : own.value.time) - (their.done ? -1 : their.value.time);
    const ownRows: Rows = order >= 0 && !own.done ? own.value.rows : new Map();
    const theirRows: Rows = order <= 0 && !their.done ? their.value.rows : new Map();
    compareRows(ownRows, theirRows, project, difference);
    if (order >= 0) own = await ours.next();
    if (order <= 0) their = await theirs.next();
  }
  return difference;
}

/** Rows by their ids. */
type Rows = ReadonlyMap<unknown, Row>;

/** Adds to a difference what differs between the rows of a file and those of the server. */
export function compareRows(
  own: Rows,
  their: Rows,
  project: (row: Row) => Row,
  difference: Difference,
): void {
  for (const [id, row] of own) {
    const other = their.get(id);
    if (other === undefined) difference.removed += 1;
    else if (!isDeepStrictEqual(row, project(other))) difference.changed += 1;
  }
  for (const id of their.keys()) if (!own.has(id)) difference.added += 1;
}

interface Group {
  readonly time: number;
  readonly rows: Map<unknown, Row>;
}

async function* groupByTime(
  batches: AsyncIterable<readonly Row[]>,
  idField: string,
): AsyncGenerator<Group, undefined> {
  let group: Group | undefined;
  for await (const rows of batches)
    for (const row of rows) {
      const time = Number(row.created_at);
      if (group !== undefined && group.time !== time) {
        yield group;
        group = undefined;
      }
      group ??= { time, rows: new Map() };
      group.rows.set(row[idField], row);
    }
  if (group !== undefined) yield group;
  return undefined;
}
