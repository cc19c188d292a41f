import type { Queryable, Statement } from "../../db/db";
import type { RatePolicy } from "./policy";

export interface Allowance {
  readonly isAllowed: boolean;
  /** How many requests are left in this window, and for how many seconds it lasts. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts the requests of each credential, in the database: the limit is one for all processes together. */
export interface CredentialLimit {
  readonly policy: RatePolicy;
  /** Counts one request of a credential. */
  take(credential: string): Promise<Allowance>;
  /** Removes the windows of credentials that are no longer used: a step of a sweeper, of which one is enough. */
  sweep(): Promise<boolean>;
}

export function createCredentialLimit(db: Queryable, policy: RatePolicy): CredentialLimit {
  const windowMs = policy.seconds * 1_000;
  /** Until when each credential that exceeded its limit is rejected without a query, by a clock that never goes back. */
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
      await db.query(removeExpired, [windowMs]);
      return false;
    },
  };
}

interface Window {
  /** How many requests it has counted. */
  readonly requests: number;
  readonly remainingMs: number;
}

const now = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint";

// By the database's clock, which all processes share. When that clock goes back, a window ends in the far future: LEAST
// makes it end as late as one that begins now.
const countRequest: Statement<Window> = {
  name: "rate-limits.count",
  text: `INSERT INTO rate_limits AS known (key, points, expire) VALUES ($1, 1, ${now} + $2)
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN known.expire <= ${now} THEN 1 ELSE known.points + 1 END,
      expire = CASE WHEN known.expire <= ${now} THEN excluded.expire ELSE LEAST(known.expire, excluded.expire) END
    RETURNING points AS requests, expire - ${now} AS "remainingMs"`,
};

const removeExpired: Statement<unknown> = {
  name: "rate-limits.remove-expired",
  text: `DELETE FROM rate_limits WHERE expire < ${now} - $1`,
};
