import { requirePageSize } from "../limits";
import type { CallOptions } from "../options";
import type { Api, Data, Input } from "../transport/call";
import type { ReceivedResponse } from "../transport/response";
import type { ListName, ListOptions, Page } from "./page";
import type { PageData } from "./page-iterator";
import { Pager } from "./pager";
import { parseCursor } from "./sdk-cursor";

/** How a list of the service is requested and read. */
interface List<Name extends ListName, Item> {
  /** The path and the filters. Called when the list is consumed. */
  request(): Input<Name>;
  /** `query` is that of the page: the page size and the filters, or the cursor alone. */
  read(data: Data<Name>, query: object, response: ReceivedResponse): PageData<Item>;
}

/** A list of the service. The first page is requested with the page size and the filters, the others with the cursor alone. */
export function createPager<Name extends ListName, Item, PageOf extends Page<Item> = Page<Item>>(
  api: Api,
  operation: Name,
  page: ListOptions,
  options: CallOptions | undefined,
  { request, read }: List<Name, Item>,
): Pager<Item, PageOf> {
  const source = {
    operation,
    signal: options?.signal,
    fetch: async (cursor: string | undefined, signal: CallOptions["signal"]) => {
      requirePageSize(operation, page.pageSize);
      const input = request();
      const query =
        cursor === undefined ? { limit: page.pageSize, ...input.query } : parseCursor(cursor, operation);
      return api.callForPage(operation, { ...input, query }, { ...options, signal }, (data, response) =>
        read(data, query, response),
      );
    },
  };
  return new Pager(source, page);
}
