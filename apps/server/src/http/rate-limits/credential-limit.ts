import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Queryable } from "../../db/db";
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
}

export function createCredentialLimit(db: Queryable, policy: RatePolicy): CredentialLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: {
      query: async ({ name, text, values }: { name: string; text: string; values: unknown[] }) => ({
        rows: await db.query({ name, text }, values),
      }),
    },
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: "",
    points: policy.requests,
    duration: policy.seconds,
    // Once a credential is over its limit, this process refuses it without asking again until the window ends.
    inMemoryBlockOnConsumed: policy.requests + 1,
  });
  const tell = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Allowance => ({
    isAllowed,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  });
  return {
    policy,
    async take(credential) {
      try {
        return tell(await limiter.consume(credential), true);
      } catch (thrown) {
        // The library throws the count itself where the limit is passed, and an error where it could not count.
        if (thrown instanceof RateLimiterRes) return tell(thrown, false);
        throw thrown;
      }
    },
  };
}
