import type { Operation } from "./generated/types";
import type { CallOptions } from "./options";
import type { ListOptions, Page } from "./page";
import type { PageData } from "./page-iterator";
import { Pager } from "./pager";

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
  const firstQuery = () => ({ limit: page.pageSize, ...filters() });
  // Filters are optional, and the cursor contains those of the first query.
  const nextQuery = (next: string) => ({ next }) as PageQuery<Filters>;
  return new Pager(
    {
      operation,
      signal: options?.signal,
      fetch: (cursor, signal) =>
        fetch(cursor === undefined ? firstQuery() : nextQuery(cursor), { ...options, signal }),
    },
    page,
  );
}
