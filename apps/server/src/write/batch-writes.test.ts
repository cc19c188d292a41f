import { expect, test } from "vitest";
import { openOnlySchema } from "../db/connection/open-session";
import { batchWrites } from "./batch-writes";
import { openWriter, type Writer } from "./writer";

interface Write {
  readonly channel: string;
  readonly row: string;
  readonly writer: Writer;
}

const unused = () => Promise.reject(new Error("The batches of this test have no database."));
const db = openOnlySchema({ query: unused, transaction: unused });

const write = (channel: string, row: string, key?: string): Write => ({
  channel,
  row,
  writer: openWriter(db, { key: key === undefined ? undefined : { caller: "key", key, fingerprint: "" } }),
});

/** The rows of each batch that forms while two others run, and how long it waits for locks. */
async function batch(
  writes: readonly Write[],
): Promise<readonly (readonly [rows: string, waitMs?: number | undefined])[]> {
  const gate = Promise.withResolvers<void>();
  const batches: (readonly [string, (number | undefined)?])[] = [];
  const add = batchWrites<Write, boolean>(db, {
    channelOf: ({ channel }) => channel,
    groupOf: ({ row }) => row,
    async runMany(_db, calls, maxLockWaitMs) {
      batches.push([calls.map(({ row }) => row).join(), maxLockWaitMs]);
      return calls.map(() => true);
    },
    async runOne({ row }) {
      if (row.startsWith("first")) await gate.promise;
      else batches.push([row]);
      return true;
    },
  });
  const all = [write("a", "first 1"), write("a", "first 2"), ...writes].map(add);
  gate.resolve();
  await Promise.all(all);
  return batches;
}

test("only a batch of several channels limits how long it waits for locks", async () => {
  expect(await batch([write("a", "1"), write("a", "2")])).toEqual([["1,2", undefined]]);
  expect(await batch([write("a", "1"), write("b", "2")])).toEqual([["1,2", 50]]);
});

test("requests with one idempotency key are never in one batch", async () => {
  expect(await batch([write("a", "1", "k"), write("a", "2", "k"), write("a", "3")])).toEqual([
    ["1,3", undefined],
    ["2"],
  ]);
});
