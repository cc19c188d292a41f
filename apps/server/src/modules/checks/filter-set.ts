import type { Db } from "../../db/db";
import { keepFresh } from "../../security/keep-fresh";
import { type FilterVersion, listVersions, readFilter, type StoredFilter } from "./filter-store";
import { searchPattern } from "./pattern";
import type { Search } from "./search";
import { searchWords } from "./words";

/** A filter as texts are compared with it. */
export interface Filter extends Pick<StoredFilter, "pk" | "filterId" | "label"> {
  readonly action: "reject" | "mask" | "report";
  /** Undefined: it applies in all channels. */
  readonly channelIds: ReadonlySet<string> | undefined;
  readonly search: Search;
}

/** The filters of all processes. A change of another process is known within half a second. */
export interface FilterSet {
  /** In the order in which they were created. */
  current(): Promise<readonly Filter[]>;
  /** Reads them again before the next check: this process changed one. */
  forget(): void;
}

const freshForMs = 500;

/** Filters are read while texts are checked: those whose revision has changed, each compiled once. */
export function createFilterSet(db: Db, monotonicNow: () => number): FilterSet {
  let known = new Map<number, { readonly revision: number; readonly filter: Filter }>();
  const load = async (): Promise<readonly Filter[]> => {
    const entries = await Promise.all((await listVersions(db)).map(loadOne));
    known = new Map(entries.flatMap((entry) => (entry === undefined ? [] : [[entry.filter.pk, entry]])));
    return [...known.values()].map(({ filter }) => filter);
  };
  const loadOne = async ({ pk, revision }: FilterVersion) => {
    const entry = known.get(pk);
    if (entry?.revision === revision) return entry;
    const stored = await readFilter(db, pk);
    return stored && { revision: stored.revision, filter: compileFilter(stored) };
  };
  const filters = keepFresh(load, monotonicNow);
  return { current: () => filters.since(monotonicNow() - freshForMs), forget: filters.forget };
}

function compileFilter({ pk, filterId, label, words, pattern, channelIds, action }: StoredFilter): Filter {
  const search = pattern === null ? searchWords(words) : searchPattern(pattern);
  // It was checked before it was stored.
  if (search === undefined || typeof search === "string")
    throw new Error(`The filter ${filterId} is invalid.`);
  return {
    pk,
    filterId,
    label,
    // The table allows no other one.
    action: action as Filter["action"],
    channelIds: channelIds.length === 0 ? undefined : new Set(channelIds),
    search,
  };
}
