import { setTimeout } from "node:timers/promises";
import { sendAtRate } from "../../load/paced-sends";
import { median, quantile } from "../../results/statistics";
import type { Target } from "../../servers/target";

const searchers = 16;
const perSecond = 100;
const seconds = 10;
const rounds = 5;

/** How often each client searches: with a pause between its searches, as people do, and without any. */
const paces = [
  ["searching once a second", 1_000],
  ["searching without a pause", 0],
] as const;

/** The time of sends while nobody searches, and while 16 clients search at each pace, in alternating rounds. */
export async function measureSendsBesideSearches(
  target: Target,
  path: string,
  terms: readonly string[],
): Promise<string[][]> {
  await sendAtRate(target, perSecond, 3);
  const alone: number[][] = [];
  const beside = paces.map(([title, pauseMs]) => ({
    title,
    pauseMs,
    times: [] as number[][],
    searches: 0,
    failed: 0,
  }));
  for (let round = 0; round < rounds; round++) {
    alone.push(await timesOf(target));
    for (const pace of beside) {
      const stop = new AbortController();
      const searching = Array.from({ length: searchers }, async (_, first) => {
        // Each begins at another time.
        await setTimeout((pace.pauseMs * first) / searchers);
        for (let n = first; !stop.signal.aborted; n += searchers) {
          const query = new URLSearchParams({ q: terms[n % terms.length] ?? "" });
          const response = await fetch(`${target.server.url}${path}?${query}`, { headers: target.headers });
          await response.arrayBuffer();
          if (response.ok) pace.searches += 1;
          else pace.failed += 1;
          await setTimeout(pace.pauseMs);
        }
      });
      pace.times.push(await timesOf(target));
      stop.abort();
      await Promise.all(searching);
    }
  }
  const rowOf = (title: string, times: readonly (readonly number[])[]) => [
    title,
    times.reduce((sum, { length }) => sum + length, 0).toLocaleString("en-US"),
    ...[0.5, 0.99].map((share) => median(times.map((each) => quantile(each, share))).toFixed(1)),
  ];
  const ratePerSecond = (count: number) => (count / rounds / seconds).toFixed(0);
  return [
    [`${perSecond} sends per second`, "stored", "p50, ms", "p99, ms"],
    rowOf("alone", alone),
    ...beside.map(({ title, times, searches, failed }) =>
      rowOf(
        `with ${searchers} clients ${title} (${ratePerSecond(searches)} searches per second, ${failed} failed)`,
        times,
      ),
    ),
  ];
}

const timesOf = async (target: Target) =>
  [...(await sendAtRate(target, perSecond, seconds)).values()].map(({ tookMs }) => tookMs);
