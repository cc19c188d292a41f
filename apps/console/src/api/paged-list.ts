import type { Page, Pager } from "@madang/client";
import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

export interface PagedList<Item> {
  /** Absent until the first page is there. */
  readonly rows: readonly Item[] | undefined;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly more: () => void;
  readonly retry: () => void;
}

interface ListSettings<Item> {
  readonly isEnabled?: boolean;
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
  list: (cursor: string | undefined) => Pager<Item, Page<Item>>,
  { isEnabled = true, keepsPrevious = false, refetchMs }: ListSettings<Item> = {},
): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => list(pageParam).firstPage(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    enabled: isEnabled,
    refetchInterval: ({ state: { data } }) =>
      refetchMs !== undefined && data?.pages.length === 1 && refetchMs(data.pages[0]?.items ?? []),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = query;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  return {
    rows: useMemo(() => data?.pages.flatMap(({ items }) => items), [data]),
    hasMore: hasNextPage && !query.isFetchNextPageError,
    error: query.error ?? undefined,
    more,
    retry: () => void refetch(),
  };
}
