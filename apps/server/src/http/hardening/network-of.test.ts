import { expect, test } from "vitest";
import { networkOf } from "./network-of";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:5678", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["[::ffff:192.0.2.1]:5678", "192.0.2.1"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:0DB8:0:0:ffff::1", "2001:db8:0:0"],
  ["2001:db8:0:1::", "2001:db8:0:1"],
  ["[2001:db8::1]", "2001:db8:0:0"],
  ["[2001:db8::1]:5678", "2001:db8:0:0"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
  ["", "unknown"],
  ["unknown", "unknown"],
  ["_hidden:5678", "unknown"],
  ["192.0.2.256", "unknown"],
  ["[192.0.2.1", "unknown"],
])("%s is in the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
