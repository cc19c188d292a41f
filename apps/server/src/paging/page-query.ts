import type { LogPosition } from "../db/replica/store";
import { type Cursors, refuseCursor, refuseDisagreement } from "./cursor";
import type { Position } from "./position";

/** What a page of a list is asked for: the filters, its size, and where the page before it ended. */
export interface PageQuery<Filters> {
  readonly filters: Filters;
  readonly limit: number;
  /** Absent on a first page. */
  readonly after?: Position;
  /** What the primary had written when the first page was asked for. Absent where no replica was in use. */
  readonly seen?: LogPosition | undefined;
}

type Sent<Filters> = Filters & { limit?: number | undefined; next?: string | undefined };

/** The query of a page: the one that the cursor carries, or the one that was sent with a first page. */
export function openPageQuery<Filters extends Record<string, string | undefined>>(
  cursors: Cursors,
  scope: string,
  { next, limit, ...rest }: Sent<Filters>,
  usualLimit: number,
): PageQuery<Filters> {
  // What is left of the query without its two paging parameters is its filters, which TypeScript cannot follow.
  const filters = rest as unknown as Filters;
  if (next === undefined) return { filters, limit: limit ?? usualLimit };
  const carried = cursors.open(scope, next);
  if (!isPageQuery<Filters>(carried)) throw refuseCursor();
  refuseDisagreement({ ...filters, limit }, { ...carried.filters, limit: carried.limit });
  return carried;
}

/** The cursor of the page after the one that ended at a position. */
export function sealNextPage<Filters>(
  cursors: Cursors,
  scope: string,
  { filters, limit, seen }: PageQuery<Filters>,
  after: Position,
): string {
  return cursors.seal(scope, { filters, limit, after, ...(seen && { seen }) } satisfies PageQuery<Filters>);
}

/** Sealed by the function above, and by nobody else, but perhaps by that of another version. */
function isPageQuery<Filters>(content: unknown): content is PageQuery<Filters> {
  const { filters, limit, after, seen } = Object(content) as Record<string, unknown>;
  const isPage = typeof filters === "object" && typeof limit === "number" && typeof after === "object";
  return isPage && (seen === undefined || typeof seen === "object");
}
