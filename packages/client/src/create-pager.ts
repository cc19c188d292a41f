import type { Operation } from "./generated/types";
import { requirePageSize } from "./limits";
import type { CallOptions } from "./options";
import type { ListOptions, Page } from "./page";
import type { PageData } from "./page-iterator";
import { Pager } from "./pager";
import { formatCursor, markOf, type Position, parseCursor, takeItemsAfter } from "./sdk-cursor";

/** The query of a page: the first one carries the page size and the filters, the others carry the cursor alone. */
export type PageQuery<Filters> = Filters & { limit?: number | undefined; next?: string };

/** A list of the service. `filters` is called when the list is consumed; `fetch` gets one page. */
export function createPager<Item, Filters extends object, PageOf extends Page<Item> = Page<Item>>(
  operation: Operation,
  page: ListOptions,
  filters: () => Filters,
  options: CallOptions | undefined,
  fetch: (query: PageQuery<Filters>, options: CallOptions) => Promise<PageData<Item>>,
): Pager<Item, PageOf> {
  const firstQuery = () => {
    requirePageSize(operation, page.pageSize);
    return { limit: page.pageSize, ...filters() };
  };
  const source = {
    operation,
    signal: options?.signal,
    fetch: async (cursor: string | undefined, signal: CallOptions["signal"]) => {
      const { query, mark }: Position =
        cursor === undefined ? { query: firstQuery() } : parseCursor(cursor, operation);
      // Filters are optional, and a cursor contains those of the first query.
      const fetched = await fetch(query as PageQuery<Filters>, { ...options, signal });
      const cursorAfter = (item: Item) => formatCursor({ query, mark: markOf(item) });
      const { items, next } = fetched;
      const rest = mark ? takeItemsAfter(items, mark) : items;
      if (rest) return { ...fetched, items: rest, cursorAfter };
      // New items came in front: the marked one is on a later page.
      const later = next && formatCursor({ ...parseCursor(next, operation), mark });
      return { items: [], next: later, cursorAfter };
    },
  };
  return new Pager(source, page);
}
