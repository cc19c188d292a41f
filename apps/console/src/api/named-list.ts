import type { Page, Pager } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { isId } from "./ids";
import { type PagedList, usePagedList } from "./paged-list";

interface Named<Item> {
  /** What is listed, for the cache. */
  readonly name: string;
  readonly withId: (id: string) => Pager<Item, Page<Item>>;
  /** Those whose name begins with the prefix, or all without one. */
  readonly withPrefix: (prefix: string, cursor: string | undefined) => Pager<Item, Page<Item>>;
  readonly idOf: (item: Item) => string;
}

/**
 * All of them, newest first, or those whose name begins with the query, after the one with this id. This merges three queries: the
 * API finds an id and the beginning of a name separately, and `name_prefix` is case-sensitive, so the other case is tried, too.
 */
export function useNamedList<Item>(
  { name, withId, withPrefix, idOf }: Named<Item>,
  query: string,
): PagedList<Item> {
  const exact = useQuery({
    queryKey: [name, "exact", query],
    queryFn: () => withId(query).firstPage(),
    enabled: isId(query),
  });
  const other = otherCaseOf(query);
  const hasOther = other !== query;
  const typed = usePagedList([name, "list", query], (cursor) => withPrefix(query, cursor), {
    keepsPrevious: true,
  });
  const changed = usePagedList([name, "list", other], (cursor) => withPrefix(other, cursor), {
    isEnabled: hasOther,
    keepsPrevious: true,
  });
  const rows = useMemo(() => {
    const isComplete = !hasOther || Boolean(changed.rows ?? changed.error);
    if (typed.rows === undefined || !isComplete) return undefined;
    const all = [...(exact.data?.items ?? []), ...typed.rows, ...((hasOther && changed.rows) || [])];
    return [...new Map(all.map((item) => [idOf(item), item])).values()];
  }, [exact.data, typed.rows, changed.rows, changed.error, hasOther, idOf]);
  const rest = typed.hasMore || !hasOther ? typed : changed;
  const { error, retry } = typed.error ? typed : rest;
  return { rows, hasMore: rest.hasMore, more: rest.more, error, retry };
}

/** `anna weber` as `Anna Weber`, and the other way round. */
function otherCaseOf(query: string): string {
  const capitalized = query.toLowerCase().replace(/(^|\s)\p{L}/gu, (beginning) => beginning.toUpperCase());
  return capitalized === query ? query.toLowerCase() : capitalized;
}
