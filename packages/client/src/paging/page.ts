import type { RouteName } from "../generated/operations";
import type { Operation } from "../generated/types";

/** One page of a list. */
export interface Page<Item> {
  /** The items of the page. */
  readonly items: Item[];
  /** The `cursor` to continue with, also in another process. Absent on the last page, and on one that `maxItems` cuts. */
  readonly nextCursor?: string;
  /** 0 for the first page that was fetched. */
  readonly index: number;
  /** How many items were returned so far, those of this page included. */
  readonly itemsSoFar: number;
}

/** Options of every list. */
export interface ListOptions {
  /** Continues where a `nextCursor` or a `resumeCursor` points. It contains the first query: no other parameter is sent. */
  cursor?: string | undefined;
  /** 1 fetches the next page while the consumer works on one. Default 0. */
  prefetch?: number | undefined;
  /** Ends the iteration after this many items: at least 1, default all. A page that is cut has no `nextCursor`. */
  maxItems?: number | undefined;
}

/** An operation that returns a list, page by page. */
export type ListName = Operation & RouteName;
