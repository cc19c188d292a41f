import type { Filter } from "./filter-set";

/** Counts in how many texts each filter found something, and stores the numbers once a second. */
export interface Hits {
  add(filter: Pick<Filter, "pk" | "action">): void;
  /** Stores what is left. */
  close(): Promise<void>;
}

const intervalMs = 1_000;

export function createHits(
  store: (hits: ReadonlyMap<number, number>) => Promise<void>,
  onHit?: (action: Filter["action"]) => void,
): Hits {
  let counts = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    timer = undefined;
    if (counts.size === 0) return;
    const hits = counts;
    counts = new Map();
    await store(hits);
  };
  return {
    add({ pk, action }) {
      onHit?.(action);
      counts.set(pk, (counts.get(pk) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), intervalMs).unref();
    },
    close() {
      clearTimeout(timer);
      return flush();
    },
  };
}
