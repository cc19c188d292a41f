import type { Page, Pager } from "@madang/client";
import { idsOf } from "./ids";
import { type PagedList, usePagedList } from "./paged-list";

interface Named<Item> {
  /** What is listed, for the cache. */
  readonly name: string;
  readonly withIds: (ids: readonly string[]) => Pager<Item, Page<Item>>;
  /** Those whose name begins with the prefix, or all without one. */
  readonly withPrefix: (prefix: string, cursor: string | undefined) => Pager<Item, Page<Item>>;
  readonly idOf: (item: Item) => string;
}

/**
 * All of them, newest first, or those whose name begins with the query, after the one with this id. This merges three queries: the
 * API finds an id and the beginning of a name separately, and `name_prefix` is case-sensitive, so the other case is tried, too.
 */
export function useNamedList<Item>(
  { name, withIds, withPrefix, idOf }: Named<Item>,
  query: string,
): PagedList<Item> {
  const ids = idsOf(query);
  const exact = usePagedList([name, "exact", query], () => withIds(ids), { isEnabled: ids.length > 0 });
  const other = otherCaseOf(query);
  const hasOther = other !== query;
  const typed = usePagedList([name, "list", query], (cursor) => withPrefix(query, cursor), {
    keepsPrevious: true,
  });
  const changed = usePagedList([name, "list", other], (cursor) => withPrefix(other, cursor), {
    isEnabled: hasOther,
    keepsPrevious: true,
  });
  const parts = [...(ids.length > 0 ? [exact] : []), typed, ...(hasOther ? [changed] : [])];
  const failed = parts.filter(({ error }) => Boolean(error));
  const isComplete = parts.every(({ rows, error }) => Boolean(rows ?? error));
  const items = new Map(parts.flatMap(({ rows = [] }) => rows).map((item) => [idOf(item), item]));
  const rest = typed.hasMore || !hasOther ? typed : changed;
  return {
    rows: items.size > 0 || isComplete ? [...items.values()] : undefined,
    hasMore: rest.hasMore,
    more: rest.more,
    error: failed[0]?.error,
    retry: () => {
      for (const part of failed) part.retry();
    },
  };
}

/** `anna weber` as `Anna Weber`, and the other way round. */
function otherCaseOf(query: string): string {
  const capitalized = query.toLowerCase().replace(/(^|\s)\p{L}/gu, (beginning) => beginning.toUpperCase());
  return capitalized === query ? query.toLowerCase() : capitalized;
}
