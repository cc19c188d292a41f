import { Refusal } from "./refuse";

/** The parameters of the lists, as the contract has parsed them. */
export interface Query {
  readonly next?: string;
  readonly limit?: number;
  readonly name?: string;
  readonly base_user_id?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly timezone?: string;
}

interface Cursor {
  readonly list: string;
  /** Of the last row that was given. */
  readonly after: number;
  readonly query: Query;
}

export interface ListedPage<Row> {
  readonly rows: Row[];
  readonly next?: string;
  readonly query: Query;
}

/**
 * A page of rows that stand newest first. Its cursor carries the whole first query and belongs to one list, and a row that comes or goes
 * moves no other.
 */
export function takePage<Row>(
  list: string,
  query: Query,
  usualLimit: number,
  find: (query: Query) => { readonly row: Row; readonly order: number }[],
): ListedPage<Row> {
  const cursor = query.next === undefined ? undefined : parseCursor(list, query);
  const first = cursor?.query ?? query;
  const limit = first.limit ?? usualLimit;
  const rest = find(first).filter(({ order }) => cursor === undefined || order < cursor.after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    query: first,
    ...(last && rest.length > limit && { next: formatCursor({ list, after: last.order, query: first }) }),
  };
}

function formatCursor(cursor: Cursor): string {
  return encodeURIComponent(JSON.stringify(cursor)).replaceAll("%", ".");
}

function parseCursor(list: string, { next = "", ...beside }: Query): Cursor {
  try {
    const cursor: Cursor = JSON.parse(decodeURIComponent(next.replaceAll(".", "%")));
    const agrees = Object.entries(beside).every(
      ([name, value]) => cursor.query[name as keyof Query] === value,
    );
    if (cursor.list === list && agrees) return cursor;
  } catch {}
  throw new Refusal("invalid_cursor", "The cursor is none of this list.");
}
