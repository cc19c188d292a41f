import { tableOf } from "./docs";
import type { Grown } from "./growth";
import { widestSpread } from "./report";

/** What is dearer by less than this at the end does not grow. */
const mostGrowth = 1.2;

/** A line for each operation, a column for each size, and how much dearer the last is than the first. */
export function rowsOf(results: readonly Grown[], sizes: readonly number[]): string[][] {
  const head = ["milliseconds", ...sizes.map((size) => size.toLocaleString("en-US")), "grows", "spread"];
  const lines = results.map(({ title, costsMs }) => {
    const widest = Math.max(...costsMs.map(({ spread }) => spread));
    const costs = costsMs.map(({ middle }) => middle.toFixed(3));
    return [title, ...costs, growthOf(costsMs), `${(widest * 100).toFixed(0)} %`];
  });
  return [head, ...lines];
}

/** What is wrong with the results, in sentences; nothing when all is flat and sure. */
export function faultsOf(results: readonly Grown[]): string[] {
  const faults = results.flatMap(({ title, costsMs }) => {
    const widest = Math.max(...costsMs.map(({ spread }) => spread));
    if (widest > widestSpread)
      return [`${title}: no verdict, the rounds lie ${(widest * 100).toFixed(0)} % apart.`];
    const growth = Number(growthOf(costsMs));
    return growth > mostGrowth ? [`${title}: grows by ${growth.toFixed(2)}.`] : [];
  });
  return [...faults, ...depthFaults(results)];
}

/** The last page of a history may cost no more than the first. */
function depthFaults(results: readonly Grown[]): string[] {
  const at = (place: string) =>
    results.find(({ id }) => id === `exports.100.${place}`)?.costsMs.at(-1)?.middle ?? Number.NaN;
  return ["middle", "oldest"]
    .filter((place) => at(place) / at("newest") > mostGrowth)
    .map((place) => `The ${place} page costs ${(at(place) / at("newest")).toFixed(2)} times the newest.`);
}

const growthOf = (costs: Grown["costsMs"]) =>
  ((costs.at(-1)?.middle ?? Number.NaN) / (costs[0]?.middle ?? Number.NaN)).toFixed(2);

/** What docs/performance.md says: the chart, the table, and what is wrong. */
export function markdownOf(results: readonly Grown[], sizes: readonly number[]): string {
  const faults = faultsOf(results);
  const verdict =
    faults.length === 0
      ? "All of it is flat within 20 %, from the smallest to the largest and from the newest page to the oldest."
      : faults.map((fault) => `- ${fault}`).join("\n");
  return `![Cost against size](growth.svg)\n\n${tableOf(rowsOf(results, sizes))}\n\n${verdict}`;
}
