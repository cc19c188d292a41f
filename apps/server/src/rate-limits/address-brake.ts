import { isIPv6 } from "node:net";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { RatePolicy } from "./policy";

/**
 * Slows whoever guesses the master key: after so many wrong keys an address gets none judged until its window ends.
 * One from which the right key came before goes on with it, so that a neighbour behind the same address shuts nobody
 * out.
 */
export interface AddressBrake {
  /** For how many seconds the address gets no key judged; 0 for one that may go on. */
  waitSeconds(address: string): Promise<number>;
  noteWrongKey(address: string): Promise<void>;
  noteRightKey(address: string): void;
  /** Whether the right key came from there before. */
  isKnown(address: string): boolean;
}

const mostKnown = 10_000;

export function createAddressBrake({ requests, seconds }: RatePolicy): AddressBrake {
  const wrongKeys = new RateLimiterMemory({ points: requests, duration: seconds });
  const known = new Set<string>();
  return {
    async waitSeconds(address) {
      const count = await wrongKeys.get(networkOf(address));
      if (count === null || count.consumedPoints < requests) return 0;
      return Math.max(1, Math.ceil(count.msBeforeNext / 1_000));
    },
    async noteWrongKey(address) {
      // Over the limit the library rejects with the count, which is what `waitSeconds` reads.
      await wrongKeys.consume(networkOf(address)).catch(() => undefined);
    },
    noteRightKey(address) {
      const network = networkOf(address);
      if (known.has(network)) return;
      const [oldest] = known;
      if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
      known.add(network);
    },
    isKnown: (address) => known.has(networkOf(address)),
  };
}

/** Who has one IPv6 address has the 2^64 of its network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const rest = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array<string>(zeros).fill("0"), ...rest].slice(0, 4).join(":");
}
