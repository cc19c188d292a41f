import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { RatePolicy } from "../rate-limits/credential-limit";
import { networkOf } from "./network-of";

/** Limits the wrong keys of each client address, in each process. A valid key is never counted and always accepted. */
export interface AuthFailureLimit {
  /** Counts one wrong key. Returns how many seconds the address must wait, or 0 while it is within the limit. */
  count(address: string): Promise<number>;
}

export function createAuthFailureLimit({ requests, seconds }: RatePolicy): AuthFailureLimit {
  const limiter = new RateLimiterMemory({ points: requests, duration: seconds });
  return {
    async count(address) {
      try {
        // Counts before it returns its promise, so concurrent requests cannot all see the same count.
        await limiter.consume(networkOf(address));
        return 0;
      } catch (thrown) {
        // Over the limit, the library throws the count.
        if (!(thrown instanceof RateLimiterRes)) throw thrown;
        return Math.max(1, Math.ceil(thrown.msBeforeNext / 1_000));
      }
    },
  };
}
