import { expect, test } from "vitest";
import { openOnlySchema } from "../db/connection/open-session";
import type { Statement } from "../db/db";
import { defineBatchCommand } from "./command";
import { shareStatements } from "./share-statements";
import { openWriter } from "./writer";

interface Write {
  readonly channel: string;
  readonly row: string;
  readonly key: string | undefined;
}

const write = (channel: string, row: string, key?: string): Write => ({ channel, row, key });

const command = defineBatchCommand<{ stored: string }, "row">(
  "test.write",
  { row: "text" },
  "effect AS (SELECT ordinal, row AS stored FROM sent)",
);

/** The rows of each batch that forms while another one runs, and how long it waits for locks. */
async function batch(
  writes: readonly Write[],
): Promise<readonly (readonly [rows: string, waitMs?: number | null])[]> {
  const gate = Promise.withResolvers<void>();
  const batches: (readonly [string, (number | null)?])[] = [];
  const db = openOnlySchema({
    async query<Row>(_: Statement<Row>, values: readonly unknown[] = []) {
      const [rows, maxLockWaitMs] = values as [string[], number | null];
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
  const add = shareStatements(db, {
    command,
    rowOf: ({ row }: Write) => ({ row }),
    resultOf: ({ stored }, { channel }) => `${channel} ${stored}`,
    channelOf: ({ channel }) => channel,
    groupOf: ({ row }) => row,
    async runOne(_, { channel, row }) {
      if (row === "first") await gate.promise;
      else batches.push([row]);
      return `${channel} ${row}`;
    },
  });
  const all = [write("a", "first"), ...writes];
  const results = all.map((one) => {
    const key = one.key === undefined ? undefined : { caller: "key", key: one.key, fingerprint: "" };
    return add(openWriter(db, { key }), one);
  });
  gate.resolve();
  expect(await Promise.all(results)).toEqual(all.map(({ channel, row }) => `${channel} ${row}`));
  return batches;
}

test("only a batch of several channels limits how long it waits for locks", async () => {
  expect(await batch([write("a", "1"), write("a", "2")])).toEqual([["1,2", null]]);
  expect(await batch([write("a", "1"), write("b", "2")])).toEqual([["1,2", 50]]);
});

test("requests with one idempotency key are never in one batch", async () => {
  expect(await batch([write("a", "1", "k"), write("a", "2", "k"), write("a", "3")])).toEqual([
    ["1,3", null],
    ["2"],
  ]);
});
