import { ServiceError } from "./service-error";

/** The parameters of the lists, as the contract parses them. */
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
  /** The order of the last row that was returned. */
  readonly after: number;
  readonly query: Query;
}

export interface ListedPage<Row> {
  readonly rows: Row[];
  readonly next?: string;
  readonly query: Query;
}

/**
 * A page of rows, newest first. Its cursor contains the whole first query and belongs to one list; rows that are added or
 * removed do not shift the others.
 */
export function takePage<Row>(
  list: string,
  query: Query,
  defaultLimit: number,
  find: (query: Query) => { readonly row: Row; readonly order: number }[],
): ListedPage<Row> {
  const cursor = query.next === undefined ? undefined : parseCursor(list, query);
  const first = cursor?.query ?? query;
  const limit = first.limit ?? defaultLimit;
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

function parseCursor(list: string, { next = "", ...others }: Query): Cursor {
  try {
    const cursor: Cursor = JSON.parse(decodeURIComponent(next.replaceAll(".", "%")));
    const agrees = Object.entries(others).every(
      ([name, value]) => cursor.query[name as keyof Query] === value,
    );
    if (cursor.list === list && agrees) return cursor;
  } catch {}
  throw new ServiceError("invalid_cursor", "The cursor does not belong to this list.");
}
