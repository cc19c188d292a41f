import type { Operations } from "../generated/operations";
import { requirePageSize } from "../limits";
import type { CallOptions } from "../options";
import type { Call, Data, Input } from "../transport/call";
import type { ReceivedResponse } from "../transport/response";
import type { ListName, ListOptions, Page } from "./page";
import type { PageData } from "./page-iterator";
import { Pager } from "./pager";
import { parseCursor } from "./sdk-cursor";

/** The parameters of the first page of a list that are its own. */
type Filters<Name extends ListName> = Operations[Name] extends { query?: infer Query }
  ? Omit<NonNullable<Query>, "limit" | "next">
  : never;

/** How a list of the service is requested and read. */
interface List<Name extends ListName, Item> {
  readonly path?: Input<Name>["path"];
  /** Filters besides those in the options. Called when the list is consumed. */
  filters?(): Filters<Name>;
  /** `query` is that of the page: the page size and the filters, or the cursor alone. */
  read(data: Data<Name>, query: object, response: ReceivedResponse): PageData<Item>;
}

/** A list of the service. The first page is requested with the page size and the filters, the others with the cursor alone. */
export function createPager<Name extends ListName, Item, PageOf extends Page<Item> = Page<Item>>(
  { callWithin }: { readonly callWithin: Call },
  operation: Name,
  {
    cursor,
    prefetch,
    maxItems,
    pageSize,
    ...filters
  }: ListOptions & Filters<Name> & { pageSize?: number | undefined },
  options: CallOptions | undefined,
  list: List<Name, Item>,
): Pager<Item, PageOf> {
  const source = {
    operation,
    signal: options?.signal,
    fetch: async (from: string | undefined, signal: CallOptions["signal"]) => {
      requirePageSize(operation, pageSize);
      const query =
        from === undefined
          ? { limit: pageSize, ...filters, ...list.filters?.() }
          : parseCursor(from, operation);
      // The filters and the path have the types of the operation; a cursor contains a query of it.
      const input = { path: list.path, query } as Input<Name>;
      return callWithin(operation, input, { ...options, signal }, (data, response) =>
        list.read(data, query, response),
      );
    },
  };
  return new Pager(source, { cursor, prefetch, maxItems });
}
