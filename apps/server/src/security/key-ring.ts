import type { KeyMaker } from "./secret";

/** The sub keys that are valid, as this process last saw them. */
export interface KeyRing {
  /** Whether a key with a valid mark exists. A deleted key is rejected within half a second. */
  isValid(key: string): Promise<boolean>;
  /** Reloads before the next check: this process created or deleted a key. */
  forget(): void;
}

const freshForMs = 500;
const rememberedRevoked = 1_000;

interface View {
  readonly digests: ReadonlySet<string>;
  readonly askedAt: number;
}

/**
 * There are at most ten keys, so all of them are read together and cached for half a second: a request costs one lookup
 * in a set. Before a key is rejected it is looked up once more, because another process may just have created it. A
 * deleted key never becomes valid again, so it is remembered as deleted.
 */
export function createKeyRing(
  keyMaker: KeyMaker,
  load: () => Promise<string[]>,
  /** A monotonic clock, in milliseconds. */
  now: () => number,
): KeyRing {
  let view: View = { digests: new Set(), askedAt: Number.NEGATIVE_INFINITY };
  let loading: Promise<View> | undefined;
  /** Results of queries that were sent before this time are ignored. */
  let validSince = Number.NEGATIVE_INFINITY;
  const revoked = new Set<string>();

  // The result is as old as the query, so its age counts from when the query was sent.
  const reload = () => {
    const askedAt = now();
    const started = load().then((digests) => ({ digests: new Set(digests), askedAt }));
    loading = started;
    return started
      .then((loaded) => {
        if (loaded.askedAt >= Math.max(view.askedAt, validSince)) view = loaded;
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
      if (arrivedAt - view.askedAt < freshForMs && view.digests.has(digest)) return true;
      let seen = await (loading ?? reload());
      if (!seen.digests.has(digest) && seen.askedAt < arrivedAt) seen = await reload();
      if (seen.digests.has(digest)) return true;
      if (revoked.size < rememberedRevoked) revoked.add(digest);
      return false;
    },
    forget() {
      loading = undefined;
      validSince = now();
      view = { digests: new Set(), askedAt: Number.NEGATIVE_INFINITY };
    },
  };
}
