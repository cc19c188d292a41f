import { expect, test } from "vitest";
import { openOnlySchema } from "../db/connection/open-session";
import type { Statement } from "../db/db";
import { defineCommand } from "./command";
import { openWriter } from "./writer";

interface Write {
  readonly channel: string;
  readonly row: string | null;
  readonly key: string | undefined;
}

const write = (channel: string, row: string | null, key?: string): Write => ({ channel, row, key });

const command = defineCommand<{ stored: string }, "channel" | "row">(
  "test.write",
  { channel: "text", row: "text" },
  "effect AS (SELECT ordinal, row AS stored FROM sent)",
  { sharing: { group: ["channel"], distinct: ["channel", "row"] } },
);

/** The rows of each batch that forms while another one runs, and how long it waits for locks. */
async function batch(
  writes: readonly Write[],
): Promise<readonly (readonly [rows: string, waitMs?: number | null])[]> {
  const gate = Promise.withResolvers<void>();
  const batches: (readonly [string, (number | null)?])[] = [];
  const db = openOnlySchema({
    async query<Row>(_: Statement<Row>, values: readonly unknown[] = []) {
      const [, rows, maxLockWaitMs] = values as [unknown, string[], number | null];
      if (batches.length === 0) await gate.promise;
      batches.push([rows.join(), maxLockWaitMs]);
      const stored = rows.map((row, index) => ({
        ordinal: index + 1,
        earlierFingerprint: null,
        stored: row,
      }));
      return stored as Row[];
    },
    transaction: () => Promise.reject(new Error("A batch is one statement.")),
    takeTurn: (_channelId, write) => write(),
  });
  const all = [write("a", "first"), ...writes];
  const results = all.map(({ channel, row, key }) => {
    const request = key === undefined ? {} : { key: { caller: "key", key, fingerprint: "" } };
    return openWriter(db, request).write(command, { channel, row });
  });
  gate.resolve();
  expect(await Promise.all(results)).toEqual(
    all.map(({ row }) => [expect.objectContaining({ stored: row })]),
  );
  return batches.slice(1);
}

test("only a batch of several groups limits how long it waits for locks", async () => {
  expect(await batch([write("a", "1"), write("a", "2")])).toEqual([["1,2", null]]);
  expect(await batch([write("b", "1"), write("c", "2")])).toEqual([["1,2", 50]]);
});

test("requests with one idempotency key are never in one batch", async () => {
  expect(await batch([write("a", "1", "k"), write("b", "2", "k"), write("c", "3")])).toEqual([
    ["1,3", 50],
    ["2", null],
  ]);
});

test("requests that must be distinct are never in one batch, unless a value is null, and a group keeps its order", async () => {
  expect(await batch([write("a", "1"), write("a", "1"), write("a", "2")])).toEqual([
    ["1", null],
    ["1,2", null],
  ]);
  expect(await batch([write("a", null), write("a", null)])).toEqual([[",", null]]);
});
