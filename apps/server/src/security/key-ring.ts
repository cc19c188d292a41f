import { keepFresh } from "./keep-fresh";
import type { KeyMaker } from "./secret";

/** A cache of the valid sub keys. */
export interface KeyRing {
  /** Finds a signed key, unless it has expired. A deleted key is rejected within half a second. */
  find(key: string): Promise<StoredKey | undefined>;
  /** Finds the key with a digest, in base64, unless it has expired. */
  findDigest(digest: string): Promise<StoredKey | undefined>;
  /** Reloads before the next check: this process created or deleted a key. */
  forget(): void;
}

export interface StoredKey {
  /** In base64. */
  readonly digest: string;
  readonly label?: string | undefined;
  /** The user as whom the key acts. */
  readonly user?: { readonly userId: string; readonly userPk: number } | undefined;
  /** Undefined for a key without scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt?: number | undefined;
}

interface KeyRingDeps {
  readonly keyMaker: Pick<KeyMaker, "digest">;
  readonly load: () => Promise<readonly StoredKey[]>;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Called with the digest of a key that is used, at most once a minute per key. */
  readonly onUse?: (digest: string, usedAt: number) => unknown;
}

const freshForMs = 500;
const maxRevoked = 1_000;
const useIntervalMs = 60_000;

/**
 * There are at most ten keys, so all of them are loaded together and cached for half a second: a request costs one
 * lookup in a map. Before a key is rejected, the keys are loaded again, because another process may just have created
 * it. A deleted key never becomes valid again, so it is cached as deleted.
 */
export function createKeyRing({ keyMaker, load, monotonicNow, now, onUse }: KeyRingDeps): KeyRing {
  const keys = keepFresh(async () => new Map((await load()).map((key) => [key.digest, key])), monotonicNow);
  const revoked = new Set<string>();
  const reportedAt = new Map<string, number>();

  const look = async (digest: string) => {
    const arrivedAt = monotonicNow();
    const recent = await keys.since(arrivedAt - freshForMs);
    return recent.get(digest) ?? (await keys.since(arrivedAt)).get(digest);
  };

  const reportUse = (digest: string, usedAt: number) => {
    if (usedAt - (reportedAt.get(digest) ?? Number.NEGATIVE_INFINITY) < useIntervalMs) return;
    reportedAt.set(digest, usedAt);
    onUse?.(digest, usedAt);
  };

  const findDigest = async (digest: string) => {
    if (revoked.has(digest)) return undefined;
    const found = await look(digest);
    if (found === undefined) {
      reportedAt.delete(digest);
      if (revoked.size < maxRevoked) revoked.add(digest);
      return undefined;
    }
    const usedAt = now();
    if (found.expiresAt !== undefined && found.expiresAt <= usedAt) return undefined;
    reportUse(digest, usedAt);
    return found;
  };

  return {
    find: (key) => findDigest(keyMaker.digest(key).toString("base64")),
    findDigest,
    forget: keys.forget,
  };
}
