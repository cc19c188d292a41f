import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newest, oldest, type Position, positionsDescending } from "../../paging/position";
import { type Candidate, findMatches, type Source } from "./find";
import type { Matcher } from "./match";

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

const inOneStep = (matches: (text: string) => boolean): Matcher =>
  // biome-ignore lint/correctness/useYield: it is one step.
  function* (text) {
    return matches(text);
  };

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
      matches: inOneStep((text) => text === "needle"),
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

/** A source of these candidates, in one range for each channel and one for each message that waits for its index. */
const sourceOf = (candidates: readonly Candidate[], waiting: readonly Candidate[] = []): Source => ({
  findRanges: async (before) => ({
    ranges: [...new Set(candidates.map(({ channelPk }) => channelPk))].flatMap((group) => [
      { group, from: oldest, before, size: 32 },
      ...waiting.flatMap(({ channelPk, createdAt, pk }) => {
        const own = { createdAt, pk: pk + 1 };
        return channelPk === group && positionsDescending(own, before) >= 0
          ? { group, from: { createdAt, pk: pk - 1 }, before: own, size: 1 }
          : [];
      }),
    ]),
    floor: undefined,
  }),
  readRanges: async (ranges, limit) =>
    ranges.map(({ group, from, before }) =>
      candidates
        .filter(
          (one) =>
            one.channelPk === group &&
            positionsDescending(one, before) > 0 &&
            positionsDescending(from, one) > 0,
        )
        .slice(0, limit),
    ),
});

test("a search over more channels than a read has ranges for ends, while a message of each waits for its index", async () => {
  const inChannels = Array.from({ length: 1_500 }, (_, index): Candidate => {
    const channelPk = index % 150;
    return { createdAt: 1_500 - index, pk: 1_500 - index, channelPk, channelId: "room", text: "needle" };
  });
  const source = sourceOf(inChannels, inChannels.slice(0, 150));
  const found: number[] = [];
  let before: Position | undefined = newest;
  for (let requests = 0; before !== undefined; requests++) {
    expect(requests).toBeLessThan(100);
    const page: Awaited<ReturnType<typeof findMatches>> = await findMatches({
      source,
      matches: inOneStep(() => true),
      limit: 50,
      before,
    });
    found.push(...page.found.map(({ pk }) => pk));
    before = page.next;
  }
  expect(found).toEqual(inChannels.map(({ pk }) => pk));
});

test("comparing counts towards the time of a request, and the next one continues where it ended", async () => {
  const slow = messages.slice(0, 400);
  const compareMs = 2;
  let compared = 0;
  const matches = inOneStep((text) => {
    compared += 1;
    const until = performance.now() + compareMs;
    while (performance.now() < until);
    return text === "needle";
  });
  const found: number[] = [];
  let before: Position | undefined = newest;
  let requests = 0;
  for (; before !== undefined; requests++) {
    compared = 0;
    const page: Awaited<ReturnType<typeof findMatches>> = await findMatches({
      source: sourceOf(slow),
      matches,
      limit: 1_000,
      before,
    });
    expect(compared).toBeLessThan(150);
    found.push(...page.found.map(({ pk }) => pk));
    before = page.next;
  }
  expect(found).toEqual(slow.map(({ pk }) => pk).filter(isMatch));
  expect(requests).toBeGreaterThan(3);
});
