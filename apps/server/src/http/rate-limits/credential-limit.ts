import { type Db, databaseNow, type Statement } from "../../db/db";

/** The max number of requests in a number of seconds. */
export interface RatePolicy {
  readonly requests: number;
  readonly seconds: number;
}

interface Allowance {
  readonly isAllowed: boolean;
  /** How many requests are left in this window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly resetSeconds: number;
}

/** Counts the requests of each credential in the database: all processes share one limit. */
export interface CredentialLimit {
  readonly policy: RatePolicy;
  take(credential: string): Promise<Allowance>;
  /** Removes the windows of credentials that are no longer used. */
  sweep(): Promise<void>;
}

export function createCredentialLimit(db: Db, policy: RatePolicy): CredentialLimit {
  const windowMs = policy.seconds * 1_000;
  /** Until when a credential over its limit is rejected without a query, by a monotonic clock. */
  const blockedUntil = new Map<string, number>();

  async function count(credential: string): Promise<Window> {
    const blockedMs = (blockedUntil.get(credential) ?? 0) - performance.now();
    if (blockedMs > 0) return { requests: Number.POSITIVE_INFINITY, remainingMs: blockedMs };
    const [window] = await db.query(countRequest, [credential, windowMs]);
    if (window === undefined) throw new Error("A request was not counted.");
    if (window.requests > policy.requests)
      blockedUntil.set(credential, performance.now() + window.remainingMs);
    else blockedUntil.delete(credential);
    return window;
  }

  return {
    policy,
    async take(credential) {
      const { requests, remainingMs } = await count(credential);
      return {
        isAllowed: requests <= policy.requests,
        remaining: Math.max(0, policy.requests - requests),
        resetSeconds: Math.max(1, Math.ceil(remainingMs / 1_000)),
      };
    },
    async sweep() {
      const now = performance.now();
      for (const [credential, until] of blockedUntil) if (until < now) blockedUntil.delete(credential);
      await db.query(removeExpired, [windowMs]);
    },
  };
}

interface Window {
  readonly requests: number;
  readonly remainingMs: number;
}

// If the database's clock is set back, windows end in the far future: LEAST makes them end no later than a new one.
const countRequest: Statement<Window> = {
  name: "rate-limits.count",
  text: `INSERT INTO rate_limits AS known (key, points, expire) VALUES ($1, 1, ${databaseNow} + $2)
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN known.expire <= ${databaseNow} THEN 1 ELSE known.points + 1 END,
      expire = CASE WHEN known.expire <= ${databaseNow} THEN excluded.expire ELSE LEAST(known.expire, excluded.expire) END
    RETURNING points AS requests, expire - ${databaseNow} AS "remainingMs"`,
};

const removeExpired: Statement<unknown> = {
  name: "rate-limits.remove-expired",
  text: `DELETE FROM rate_limits WHERE expire < ${databaseNow} - $1`,
};
