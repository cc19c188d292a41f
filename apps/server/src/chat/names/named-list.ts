import type { Cursors } from "../../paging/cursor";
import { openPageQuery, type PageSize, signNextPage, takePage } from "../../paging/page-query";
import { newest, type Position, requireNamed } from "../../paging/position";
import type { Resource } from "../../turns/resource";
import { createNameSearch, type NameSource } from "./names";
import type { NamedLists } from "./names-store";

export interface NamedSource<Row> extends Omit<NamedLists<Row>, "list">, NameSource<Row> {
  /** Those older than the position, newest first. Only the list of users has the filter `name`: all of these have this name. */
  list(before: Position, count: number, name: string | undefined): Promise<(Row & Position)[]>;
}

interface Options<Row> {
  readonly cursors: Cursors;
  readonly scope: string;
  readonly pageSize: PageSize;
  readonly source: NamedSource<Row>;
  readonly names: Resource;
}

/** In the cursor. */
type Filters = { readonly [Name in "name" | "name_prefix" | "q"]?: string | undefined };

interface Page<Row> {
  readonly items: readonly Row[];
  /** A cursor. */
  readonly next: string | undefined;
}

/** The list of users or channels: in the order of creation, or by the beginning of their names, or those that a search finds. */
export function createNamedList<Row extends { readonly name: string }>({
  cursors,
  scope,
  pageSize,
  source,
  names,
}: Options<Row>): (
  query: Filters & { limit?: number | undefined; next?: string | undefined },
) => Promise<Page<Row>> {
  const findByName = createNameSearch(source, names);
  return async (query) => {
    const pageQuery = openPageQuery<Filters>(cursors, scope, query, pageSize);
    const { filters, limit, after } = pageQuery;
    const { name, name_prefix: prefix, q } = filters;
    if (q !== undefined) {
      const { items, next } = await findByName({ q, limit, after: requireNamed(after) });
      return { items, next: next && signNextPage(cursors, scope, pageQuery, next, next.name) };
    }
    const found = await (prefix === undefined
      ? source.list(after ?? newest, limit + 1, name)
      : source.listByPrefix(prefix, requireNamed(after), limit + 1));
    const { items, last } = takePage(found, limit);
    return { items, next: last && signNextPage(cursors, scope, pageQuery, last, prefix && last.name) };
  };
}
