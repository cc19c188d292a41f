import type { KeyMaker } from "./secret";

/** A cache of the valid sub keys. */
export interface KeyRing {
  /** Whether a signed key exists. A deleted key is rejected within half a second. */
  isValid(key: string): Promise<boolean>;
  /** Reloads before the next check: this process created or deleted a key. */
  forget(): void;
}

const freshForMs = 500;
const maxRevoked = 1_000;

interface View {
  readonly digests: ReadonlySet<string>;
  readonly queriedAt: number;
}

/**
 * There are at most ten keys, so all of them are loaded together and cached for half a second: a request costs one
 * lookup in a set. Before a key is rejected, the keys are loaded again, because another process may just have created
 * it. A deleted key never becomes valid again, so it is cached as deleted.
 */
export function createKeyRing(
  keyMaker: KeyMaker,
  load: () => Promise<string[]>,
  /** A monotonic clock, in milliseconds. */
  now: () => number,
): KeyRing {
  let view: View = { digests: new Set(), queriedAt: Number.NEGATIVE_INFINITY };
  let loading: Promise<View> | undefined;
  /** Results of queries that were sent before this time are ignored. */
  let validSince = Number.NEGATIVE_INFINITY;
  const revoked = new Set<string>();

  // The result is as old as the query, so its age counts from when the query was sent.
  const reload = () => {
    const queriedAt = now();
    const started = load().then((digests) => ({ digests: new Set(digests), queriedAt }));
    loading = started;
    return started
      .then((loaded) => {
        if (loaded.queriedAt >= Math.max(view.queriedAt, validSince)) view = loaded;
        return loaded;
      })
      .finally(() => {
        if (loading === started) loading = undefined;
      });
  };

  return {
    async isValid(key) {
      const digest = keyMaker.digest(key).toString("base64");
      if (revoked.has(digest)) return false;
      const arrivedAt = now();
      if (arrivedAt - view.queriedAt < freshForMs && view.digests.has(digest)) return true;
      let seen = await (loading ?? reload());
      if (!seen.digests.has(digest) && seen.queriedAt < arrivedAt) seen = await reload();
      if (seen.digests.has(digest)) return true;
      if (revoked.size < maxRevoked) revoked.add(digest);
      return false;
    },
    forget() {
      loading = undefined;
      validSince = now();
      view = { digests: new Set(), queriedAt: Number.NEGATIVE_INFINITY };
    },
  };
}
