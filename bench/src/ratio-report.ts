import { tableOf } from "./docs";
import { type Result, widestSpread } from "./report";
import type { SdkRatio } from "./sdk";
import { medianOf } from "./statistics";

const head = [
  "operation",
  "ratio",
  "spread",
  "at least",
  "requests/s",
  "ceiling",
  "p99",
  "ceiling: p99",
  "Node",
  "PostgreSQL",
  "ceiling: Node",
  "PostgreSQL",
];

/** What docs/performance.md says of the operations and of the SDK; a dash where the benchmark refused the ratio. */
export function markdownOf(results: readonly Result[], sdk: readonly SdkRatio[]): string {
  const lines = results.map(({ operation, rounds, refusal, ratio }) => {
    const [server, ceiling] = [medianOf(rounds, "server"), medianOf(rounds, "ceiling")];
    return [
      operation.title,
      refusal === undefined ? ratio.middle.toFixed(2) : "–",
      percent(ratio.spread),
      operation.target?.toFixed(2) ?? "",
      ...[server, ceiling].map(({ perSecond }) => Math.round(perSecond).toLocaleString("en-US")),
      ...[server, ceiling].map(({ p99Ms }) => p99Ms.toFixed(1)),
      ...[server.nodeMs, server.postgresMs, ceiling.nodeMs, ceiling.postgresMs].map((ms) => ms.toFixed(3)),
    ];
  });
  const ofSdk = sdk.map(({ title, target, middle, spread }) => [
    title,
    spread > widestSpread ? "–" : middle.toFixed(2),
    percent(spread),
    target.toFixed(2),
  ]);
  return `${tableOf([head, ...lines])}\n\n${tableOf([["SDK", "ratio", "spread", "at least"], ...ofSdk])}`;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
