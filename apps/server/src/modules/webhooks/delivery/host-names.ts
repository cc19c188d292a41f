import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/** Resolves host names without occupying threads of the process. */
export interface HostNames {
  /** All addresses of a host name. Throws after some seconds. */
  resolve(host: string): Promise<LookupAddress[]>;
  close(): void;
}

export interface HostNameOptions {
  /** Absent: those of the operating system. */
  readonly nameServers?: readonly string[];
  readonly maxLookupMs?: number;
}

const defaultMaxLookupMs = 5_000;
/** How long to wait for a name server at first. */
const timeoutMs = 1_000;
const tries = 3;

/**
 * Asks the name servers itself. `dns.lookup` would occupy one of the four threads of the process for as long as a name
 * server does not respond, and new connections to PostgreSQL by host name need these threads too. At most one lookup of
 * a name is under way, however many requests wait for it.
 */
export function openHostNames({
  nameServers,
  maxLookupMs = defaultMaxLookupMs,
}: HostNameOptions = {}): HostNames {
  const lookups = new Map<string, { readonly dns: Resolver; readonly addresses: Promise<LookupAddress[]> }>();

  const lookUp = async (dns: Resolver, host: string) => {
    const timer = setTimeout(() => dns.cancel(), maxLookupMs);
    try {
      const found = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
      const addresses = found.flatMap((result, index) =>
        result.status === "rejected"
          ? []
          : result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
      );
      const [first] = found;
      if (addresses.length === 0 && first.status === "rejected") throw first.reason;
      return addresses;
    } finally {
      clearTimeout(timer);
      lookups.delete(host);
    }
  };

  return {
    async resolve(host) {
      // Always this machine (RFC 6761), even if a name server has another address.
      if (/(^|\.)localhost\.?$/i.test(host)) return [{ address: "127.0.0.1", family: 4 }];
      const current = lookups.get(host);
      if (current !== undefined) return current.addresses;
      const dns = new Resolver({ timeout: timeoutMs, tries });
      if (nameServers !== undefined) dns.setServers(nameServers);
      const addresses = lookUp(dns, host);
      lookups.set(host, { dns, addresses });
      return addresses;
    },
    close() {
      for (const { dns } of lookups.values()) dns.cancel();
    },
  };
}
