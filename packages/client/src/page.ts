/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The `cursor` to go on with, also in another process. Absent on the last page. */
  readonly nextCursor?: string;
  /** 0 for the first page that this walk fetched. */
  readonly index: number;
  /** How many items this walk has given, this page included. */
  readonly itemsSoFar: number;
}

/** What every list takes. */
export interface ListOptions {
  /** Goes on where a `nextCursor` or a `resumeCursor` says. It carries the whole first query: no other parameter is sent. */
  cursor?: string | undefined;
  /** How many items the service puts on a page. */
  pageSize?: number | undefined;
  /** How many pages to fetch ahead of the consumer. Default 0. */
  prefetch?: number | undefined;
  /** Ends the walk after so many items. The page that is cut has no `nextCursor`. */
  maxItems?: number | undefined;
}
