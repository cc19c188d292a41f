import type { KeyMaker } from "./secret";

/** The sub keys that are valid, as this process last saw them. */
export interface KeyRing {
  /** Whether a key that bears our mark is valid. A deleted one is refused within half a second. */
  isValid(key: string): Promise<boolean>;
  /** Looks again before the next answer: a key was made or deleted here. */
  forget(): void;
}

const freshForMs = 500;
const rememberedRevoked = 1_000;

interface View {
  readonly digests: ReadonlySet<string>;
  readonly askedAt: number;
}

/**
 * There are at most ten keys, so all are read at once, and not again for half a second: what a request costs is a
 * look into a set. A key made elsewhere a moment ago is looked for once more before it is refused; a key that is
 * gone never comes back, and is remembered as gone.
 */
export function createKeyRing(
  keyMaker: KeyMaker,
  load: () => Promise<string[]>,
  /** A clock that never goes back. */
  now: () => number,
): KeyRing {
  let view: View = { digests: new Set(), askedAt: Number.NEGATIVE_INFINITY };
  let loading: Promise<View> | undefined;
  /** What was asked before this is not believed any more. */
  let believedSince = Number.NEGATIVE_INFINITY;
  const revoked = new Set<string>();

  // What is answered is as old as the question, so age counts from when it was asked.
  const reload = () => {
    const askedAt = now();
    const started = load().then((digests) => ({ digests: new Set(digests), askedAt }));
    loading = started;
    return started
      .then((loaded) => {
        if (loaded.askedAt >= Math.max(view.askedAt, believedSince)) view = loaded;
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
      believedSince = now();
      view = { digests: new Set(), askedAt: Number.NEGATIVE_INFINITY };
    },
  };
}
