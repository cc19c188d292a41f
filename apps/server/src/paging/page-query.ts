import * as z from "zod";
import { type Cursors, invalidCursor, rejectDifferentParameters } from "./cursor";
import { fillPage } from "./page-bytes";
import { type NamedPosition, type Position, position } from "./position";

/** The query of a page: the filters, the page size, and where the previous page ended. */
export interface PageQuery<Filters> {
  readonly filters: Filters;
  readonly limit: number;
  /**
   * The internal key of the channel or user whose list it is. Absent on a first page, in lists of no owner, and in cursors of
   * earlier versions.
   */
  readonly owner?: number | undefined;
  /** The internal key of the user as whom the request acts. Each user has its own cursors. */
  readonly acting?: number | undefined;
  /** The internal key of the user whose messages a search is limited to. */
  readonly sender?: number | undefined;
  /** Absent on a first page. With a name in a list that is ordered by name. */
  readonly after?: Position & Partial<NamedPosition>;
}

/** Of a list without filters. */
export type NoFilters = Record<never, never>;

type QueryOfPage<Filters> = Filters & { limit?: number | undefined; next?: string | undefined };

/** How many items a page of a list may have. */
export interface PageSize {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** The query of a page: from the cursor, or from the request of a first page. */
export function openPageQuery<Filters extends Record<string, string | undefined>>(
  cursors: Cursors,
  scope: string,
  { next, limit, ...rest }: QueryOfPage<Filters>,
  pageSize: PageSize,
  acting?: { readonly userPk: number },
): PageQuery<Filters> {
  // The query without its two paging parameters. TypeScript cannot infer this.
  const filters = rest as unknown as Filters;
  if (next === undefined) return { filters, limit: limit ?? pageSize.default, acting: acting?.userPk };
  // Only the type of the filters depends on the list.
  const original = cursors.open(scope, next, "next", content) as unknown as PageQuery<Filters>;
  const hasSize = original.limit >= pageSize.min && original.limit <= pageSize.max;
  if (!hasSize || original.acting !== acting?.userPk) throw invalidCursor();
  rejectDifferentParameters({ ...filters, limit }, { ...original.filters, limit: original.limit });
  return original;
}

/**
 * The query of a list that belongs to a channel or a user, or of a search of the messages of one user. Rejects the cursor of an
 * earlier one that had the same id. The lists of a message need no owner: its id is never used again. Cursors of earlier versions of
 * the server have none.
 */
export function bindTo<Query extends PageQuery<unknown>>(
  query: Query,
  role: "owner" | "sender",
  pk: number | undefined,
): Query {
  if (query[role] !== undefined && query[role] !== pk) throw invalidCursor();
  return { ...query, [role]: pk };
}

/** The cursor of the page after the one that ended at a position. */
export function signNextPage<Filters>(
  cursors: Cursors,
  scope: string,
  { filters, limit, owner, acting, sender }: PageQuery<Filters>,
  { createdAt, pk }: Position,
  name?: string,
): string {
  const after = { createdAt, pk, ...(name !== undefined && { name }) };
  return cursors.sign(scope, { filters, limit, owner, acting, sender, after } satisfies PageQuery<Filters>);
}

/** The page that `takePage` takes of the rows, with the cursor of the next one if there is one. */
export function signPage<Row, Filters>(
  cursors: Cursors,
  scope: string,
  query: PageQuery<Filters>,
  rows: readonly Row[],
  positionOf: (row: Row) => Position,
  bytesOf?: (row: Row) => number,
): { readonly items: readonly Row[]; readonly next?: string } {
  const { items, last } = takePage(rows, query.limit, bytesOf);
  return { items, ...(last && { next: signNextPage(cursors, scope, query, positionOf(last)) }) };
}

/**
 * The first rows as a page: at most `size`, and fewer if they are large. The query selects one extra row, so `last`, the last row of
 * the page, is present only when a further row exists.
 */
export function takePage<Row>(
  rows: readonly Row[],
  size: number,
  bytesOf: (row: Row) => number = () => 0,
): { items: readonly Row[]; last: Row | undefined } {
  const { count } = fillPage(rows, size, bytesOf);
  const items = rows.slice(0, count);
  return { items, last: count < rows.length ? items.at(-1) : undefined };
}

/** What `signNextPage` signed, possibly in another version. */
const content = z.object({
  filters: z.record(z.string(), z.string()),
  limit: z.int(),
  owner: z.int().optional(),
  acting: z.int().optional(),
  sender: z.int().optional(),
  after: position.extend({ name: z.string().optional() }),
});
