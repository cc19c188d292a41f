import { expect, test } from "vitest";
import { createAddressRules, isCidr } from "./address-rules";

const rules = createAddressRules([]);

test.each(["8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.128.0.0", "2606:4700:4700::1111"])(
  "%s is public: permitted only with TLS",
  (address) => {
    expect(rules.permits(address, "https:")).toBe(true);
    expect(rules.permits(address, "http:")).toBe(false);
  },
);

test.each([
  ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
  ["loopback", "127.0.0.1", "127.255.255.255", "::1"],
  ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1"],
  ["shared by carriers", "100.64.0.1", "100.127.255.255"],
  ["link-local", "169.254.169.254", "fe80::1", "febf::1"],
  ["site-local", "fec0::1"],
  ["multicast or reserved", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1"],
  ["IPv4-mapped", "::ffff:8.8.8.8", "::ffff:7f00:1", "::ffff:0:127.0.0.1"],
  ["IPv4-compatible", "::127.0.0.1", "::8.8.8.8"],
  ["NAT64", "64:ff9b::8.8.8.8", "64:ff9b::a00:1", "64:ff9b:1::1"],
  ["6to4", "2002:7f00:1::", "2002:808:808::1"],
  ["Teredo", "2001::1", "2001:0:808:808::1"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  ["benchmarks", "198.18.0.1", "198.19.255.255"],
  ["not an address", "localhost", "", "1.2.3", "fe80::1%eth0"],
])("an address that is %s is not permitted", (_kind, ...addresses) => {
  for (const address of addresses) {
    expect(rules.permits(address, "https:"), address).toBe(false);
    expect(rules.permits(address, "http:"), address).toBe(false);
  }
});

test("an exception is permitted, also without TLS, and its neighbours are not", () => {
  const { permits } = createAddressRules(["10.1.0.0/16", "fd00:1::/32"]);
  for (const address of ["10.1.0.0", "10.1.255.255", "fd00:1::1"]) {
    expect(permits(address, "https:")).toBe(true);
    expect(permits(address, "http:")).toBe(true);
  }
  for (const address of ["10.0.255.255", "10.2.0.0", "fd00:2::1", "127.0.0.1"])
    expect(permits(address, "https:")).toBe(false);
});

test.each([
  ["10.0.0.0/8", true],
  ["10.0.0.1/32", true],
  ["::/0", true],
  ["fd00::/128", true],
  ["10.0.0.0", false],
  ["10.0.0.0/33", false],
  ["fd00::/129", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/8/8", false],
  ["10.0.0/8", false],
  ["example.com/8", false],
])("%s is a network: %s", (text, expected) => {
  expect(isCidr(text)).toBe(expected);
});
