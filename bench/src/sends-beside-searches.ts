import { sendAtRate } from "./paced-sends";
import { median, quantile } from "./statistics";
import type { Target } from "./target";

const searchers = 16;
const perSecond = 100;
const seconds = 10;
const rounds = 5;

/** The time of sends while 16 clients search, one search after the other, and while nobody does, in alternating rounds. */
export async function measureSendsBesideSearches(
  target: Target,
  path: string,
  terms: readonly string[],
): Promise<string[][]> {
  await sendAtRate(target, perSecond, 3);
  const alone: number[][] = [];
  const beside: number[][] = [];
  let searches = 0;
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    alone.push(await timesOf(target));
    const stop = new AbortController();
    const searching = Array.from({ length: searchers }, async (_, first) => {
      for (let n = first; !stop.signal.aborted; n += searchers) {
        const query = new URLSearchParams({ q: terms[n % terms.length] ?? "" });
        const response = await fetch(`${target.server.url}${path}?${query}`, { headers: target.headers });
        await response.arrayBuffer();
        if (response.ok) searches += 1;
        else failed += 1;
      }
    });
    beside.push(await timesOf(target));
    stop.abort();
    await Promise.all(searching);
  }
  const rowOf = (title: string, times: readonly (readonly number[])[]) => [
    title,
    times.reduce((sum, { length }) => sum + length, 0).toLocaleString("en-US"),
    ...[0.5, 0.99].map((share) => median(times.map((each) => quantile(each, share))).toFixed(1)),
  ];
  return [
    [`${perSecond} sends per second`, "stored", "p50, ms", "p99, ms"],
    rowOf("alone", alone),
    rowOf(
      `with ${searchers} clients that search (${(searches / rounds / seconds).toFixed(0)} searches per second, ${failed} failed)`,
      beside,
    ),
  ];
}

const timesOf = async (target: Target) =>
  [...(await sendAtRate(target, perSecond, seconds)).values()].map(({ tookMs }) => tookMs);
