import { keepFresh } from "./keep-fresh";

/** Which tokens of users have been revoked. */
export interface Revocations {
  /** Whether the user has a revocation after the one with this key. One of another process is known within half a second. */
  isRevoked(userPk: number, after: number): Promise<boolean>;
  /** Reloads before the next check: this process revoked tokens. */
  forget(): void;
}

export interface LoadedRevocations {
  /** The oldest transaction that was still running. */
  readonly horizon: number;
  readonly revocations: readonly { readonly pk: number; readonly userPk: number }[];
}

interface RevocationDeps {
  /** The revocations that no earlier transaction than this one made. */
  readonly load: (since: number) => Promise<LoadedRevocations>;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number;
}

const freshForMs = 500;
/** Forgets the revocations that are no longer in force. The database keeps them for longer: a new token still names them. */
const keptForMs = 3_600_000;

/**
 * A token is not stored, so its revocation is. All revocations of the last day are in the memory of each process, which loads the
 * new ones while tokens are used: those of the transactions that had not ended when it loaded them before.
 */
export function createRevocations({ load, monotonicNow }: RevocationDeps): Revocations {
  let newest = new Map<number, number>();
  let horizon = 0;
  let completeAt = Number.NEGATIVE_INFINITY;

  const reload = async (): Promise<void> => {
    const startedAt = monotonicNow();
    const isComplete = startedAt - completeAt < keptForMs;
    const loaded = await load(isComplete ? horizon : 0);
    // A database that was restored begins with older transactions.
    if (isComplete && loaded.horizon < horizon) {
      completeAt = Number.NEGATIVE_INFINITY;
      return reload();
    }
    if (!isComplete) {
      newest = new Map();
      completeAt = startedAt;
    }
    for (const { pk, userPk } of loaded.revocations)
      newest.set(userPk, Math.max(pk, newest.get(userPk) ?? 0));
    horizon = loaded.horizon;
  };
  const loads = keepFresh(reload, monotonicNow);

  return {
    async isRevoked(userPk, after) {
      await loads.since(monotonicNow() - freshForMs);
      return (newest.get(userPk) ?? 0) > after;
    },
    forget: loads.forget,
  };
}
