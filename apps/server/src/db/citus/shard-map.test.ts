import { expect, test } from "vitest";
import { hashInteger, shardKeyOf } from "./shard-map";

// As `SELECT worker_hash(5), worker_hash(-77777)` on Citus 13.2.2 returned them.
test("integers have the hashes of PostgreSQL", () => {
  expect([5, -77_777].map(hashInteger)).toEqual([-1_330_264_708, 145_350_628]);
});

// As the column `shard_key` of a distributed database had it.
test("a shard key is the first four bytes of SHA-256", () => {
  expect(shardKeyOf("chan_1")).toBe(-998_763_674);
});
