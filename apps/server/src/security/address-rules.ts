import { BlockList, isIP, isIPv6 } from "node:net";

/** Which addresses the server may send webhooks to. */
export interface AddressRules {
  /** Whether the address is public or an exception. Only exceptions may be reached without TLS. */
  permits(address: string, protocol: string): boolean;
}

/** `exceptions`: CIDRs of the server's own network that may be reached. */
export function createAddressRules(exceptions: readonly string[]): AddressRules {
  const permitted = listNetworks(exceptions);
  return {
    permits(address, protocol) {
      if (isIP(address) === 0) return false;
      return isIn(permitted, address) || (protocol === "https:" && isPublic(address));
    },
  };
}

/** Whether the text is a network such as `10.0.0.0/8` or `fd00::/8`. */
export function isCidr(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  const maxLength = { 4: 32, 6: 128 }[isIP(address)];
  return (
    maxLength !== undefined && /^[0-9]{1,3}$/.test(length) && Number(length) <= maxLength && rest.length === 0
  );
}

/** Whether the host is this machine: an address, or the name `localhost`. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && isIn(loopback, host));
}

/**
 * IPv6 is open only where addresses are assigned (2000::/3): the unspecified address, loopback, link-local, private,
 * multicast, IPv4-mapped and NAT64 addresses are all outside it.
 */
function isPublic(address: string): boolean {
  if (isIPv6(address)) return isIn(assignedIpv6, address) && !isIn(specialIpv6, address);
  return !isIn(specialIpv4, address);
}

function isIn(networks: BlockList, address: string): boolean {
  return networks.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

function listNetworks(cidrs: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", length] = cidr.split("/");
    networks.addSubnet(address, Number(length), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return networks;
}

const loopback = listNetworks(["127.0.0.0/8", "::1/128"]);

const assignedIpv6 = listNetworks(["2000::/3"]);

/** Protocol assignments and Teredo, documentation, and 6to4, which contains an IPv4 address. */
const specialIpv6 = listNetworks(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** The special-purpose addresses of IANA: not reachable from everywhere, or not one host. */
const specialIpv4 = listNetworks([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);
