import type { Page, Pager } from "@madang/client";
import {
  keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";

export interface PagedList<Item> {
  /** Absent until there is a row, or until it is certain that there is none. */
  readonly rows: readonly Item[] | undefined;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly more: () => void;
  readonly retry: () => void;
  /** Whether only the reader fetches the next page. */
  readonly isOnDemand?: boolean;
}

/** A list that is not paged has only rows, and what its request has. */
export type List<Item> = Pick<PagedList<Item>, "rows"> & Partial<PagedList<Item>>;

export const listOf = <Item>({ data, error, refetch }: UseQueryResult<Item[]>): List<Item> => ({
  rows: data,
  error,
  retry: () => void refetch(),
});

interface ListSettings<Item> {
  readonly isEnabled?: boolean;
  /** Which items are rows. Default: all. */
  readonly isShown?: ((item: Item) => boolean) | undefined;
  /** Whether only the reader fetches more than the first page, neither scrolling nor coming back to the page. */
  readonly isOnDemand?: boolean;
  /** Whether the rows of the last query stay until those of the next one are there. */
  readonly keepsPrevious?: boolean;
  /**
   * How soon the first page is fetched again, unless the reader has scrolled on. Only while something is going on: every read is in
   * the audit log.
   */
  readonly refetchMs?: (rows: readonly Item[]) => number | false;
}

/** A list of the SDK, page by page: `list` gets the cursor of each page but the first. */
export function usePagedList<Item>(
  queryKey: QueryKey,
  list: (cursor: string | undefined) => Pick<Pager<Item, Page<Item>>, "firstPage">,
  {
    isEnabled = true,
    isShown,
    isOnDemand = false,
    keepsPrevious = false,
    refetchMs,
  }: ListSettings<Item> = {},
): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => list(pageParam).firstPage(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    enabled: isEnabled,
    refetchInterval: ({ state: { data } }) =>
      refetchMs !== undefined && data?.pages.length === 1 && refetchMs(data.pages[0]?.items ?? []),
    refetchOnWindowFocus: !isOnDemand,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError, refetch } = query;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => {
    const items = data?.pages.flatMap((page) => page.items);
    return isShown ? items?.filter(isShown) : items;
  }, [data, isShown]);
  const hasMore = hasNextPage && !isFetchNextPageError;
  // A page may have no rows and the list still go on, as in a search.
  const isUndecided = rows?.length === 0 && hasNextPage && !isOnDemand;
  const isSearching = isUndecided && hasMore;
  useEffect(() => {
    if (isSearching) more();
  }, [isSearching, more]);
  return {
    rows: isUndecided ? undefined : rows,
    hasMore,
    error: query.error,
    more,
    retry: () => void refetch(),
    isOnDemand,
  };
}
