import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newest, oldest, type Position, positionsDescending } from "../../paging/position";
import { type Candidate, findMatches, type Source } from "./find";

const isMatch = (pk: number) => pk % 1_500 === 0 || (pk > 2_000 && pk < 3_000);

/** Messages of one channel, newest first. Every 1,500th one, and all in the middle, match. */
const messages = Array.from({ length: 5_000 }, (_, index): Candidate => {
  const pk = 5_000 - index;
  return {
    createdAt: Math.ceil(pk / 3),
    pk,
    channelPk: 1,
    channelId: "room_1",
    text: isMatch(pk) ? "needle" : "hay",
  };
});

/** Every read takes this long. */
const readMs = 50;
/** A request starts no further read after 120 ms. */
const maxReads = 3;

test("a request ends after some reads, and the next ones continue: together they find every match once, in order", async () => {
  let reads = 0;
  const source: Source = {
    findRanges: async (before) => ({
      ranges: [{ group: 1, from: oldest, before, size: Number.POSITIVE_INFINITY }],
      floor: undefined,
    }),
    async readRanges(ranges, limit) {
      reads += 1;
      await sleep(readMs);
      return ranges.map(({ before }) =>
        messages.filter((one) => positionsDescending(one, before) > 0).slice(0, limit),
      );
    },
  };
  const found: number[] = [];
  let before: Position | undefined = newest;
  let requests = 0;
  for (; before !== undefined; requests++) {
    reads = 0;
    const page: Awaited<ReturnType<typeof findMatches>> = await findMatches({
      source,
      matches: (text) => text === "needle",
      limit: 1_000,
      before,
    });
    expect(reads).toBeLessThanOrEqual(maxReads);
    found.push(...page.found.map(({ pk }) => pk));
    before = page.next;
  }
  expect(found).toEqual(messages.map(({ pk }) => pk).filter(isMatch));
  expect(requests).toBeGreaterThan(1);
});
