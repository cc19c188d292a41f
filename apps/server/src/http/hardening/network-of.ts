import { isIPv4, isIPv6 } from "node:net";

/**
 * The network of a client address: an IPv4 address, or the /64 of an IPv6 address, which belongs to one client. Proxies
 * may add brackets and a port. All invalid addresses count as one network.
 */
export function networkOf(address: string): string {
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([^:]*):\d+$/.exec(address)?.[1] ?? address;
  if (isIPv4(host)) return host;
  const [plain = ""] = host.split("%");
  return isIPv6(plain) ? networkOfIPv6(plain) : "unknown";
}

function networkOfIPv6(address: string): string {
  // The URL parser normalises the address.
  const { hostname } = new URL(`http://[${address}]`);
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? [];
  if (high !== undefined && low !== undefined)
    return toIPv4(Number.parseInt(high, 16), Number.parseInt(low, 16));
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const [before, after] = [listGroups(head), listGroups(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].slice(0, 4).join(":");
}

const listGroups = (text: string) => text.split(":").filter((group) => group !== "");

const toIPv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
