import type { Load } from "./load";
import type { Operation } from "./operations/operation";
import type { SdkRatio } from "./sdk";
import { medianOf, type Ratio, type Round, ratioOf } from "./statistics";

export interface Result {
  readonly operation: Operation;
  readonly rounds: readonly Round[];
  /** Why no ratio is told: the answers differ, a request failed, or the spread is too wide. */
  readonly refusal: string | undefined;
  readonly ratio: Ratio;
}

/** Rounds that lie further apart say nothing about a few hundredths. */
export const widestSpread = 0.25;

/** How much longer the slowest hundredth of the requests may take than it does of the ceiling. */
const mostP99 = 2;

export function judge(operation: Operation, rounds: readonly Round[], difference?: string): Result {
  const ratio = ratioOf(rounds);
  const failed = rounds.reduce((sum, { server, ceiling }) => sum + server.failed + ceiling.failed, 0);
  const refusal =
    difference ??
    (failed > 0
      ? `${failed} requests failed`
      : ratio.spread > widestSpread
        ? `the rounds lie ${percent(ratio.spread)} apart`
        : undefined);
  return { operation, rounds, refusal, ratio };
}

export const heading = [
  "operation".padEnd(36),
  ...[
    "ratio",
    "spread",
    "least",
    "req/s",
    "ceiling",
    "p50",
    "p99",
    "p99 ceil.",
    "node",
    "pg",
    "node c.",
    "pg c.",
  ],
].reduce((line, word) => `${line}${word.padStart(9)}`);

export function lineOf({ operation, rounds, refusal, ratio }: Result): string {
  const name = operation.title.padEnd(36);
  if (rounds.length === 0) return `${name}  no ratio: ${refusal}`;
  const server = medianOf(rounds, "server");
  const ceiling = medianOf(rounds, "ceiling");
  const cells = [
    refusal === undefined ? ratio.middle.toFixed(2) : "–",
    percent(ratio.spread),
    operation.target?.toFixed(2) ?? "",
    server.perSecond.toFixed(0),
    ceiling.perSecond.toFixed(0),
    ...[server.p50Ms, server.p99Ms, ceiling.p99Ms].map((ms) => ms.toFixed(2)),
    ...[server.nodeMs, server.postgresMs, ceiling.nodeMs, ceiling.postgresMs].map((ms) => ms.toFixed(3)),
  ];
  const notes = [
    ...(refusal === undefined ? [] : [`no ratio: ${refusal}`]),
    ...(server.p99Ms > mostP99 * ceiling.p99Ms
      ? [
          `the p99 is ${(server.p99Ms / ceiling.p99Ms).toFixed(1)} times the ceiling's, and should be at most ${mostP99}`,
        ]
      : []),
  ];
  return [`${name}${cells.map((cell) => cell.padStart(9)).join("")}`, ...notes].join("\n  ");
}

export function lineOfSdk({ title, target, middle, spread }: SdkRatio): string {
  if (spread > widestSpread) return `${title}\n  no ratio: the rounds lie ${percent(spread)} apart`;
  return `${title}: ${middle.toFixed(2)} (at least ${target.toFixed(2)}, spread ${percent(spread)})`;
}

export interface Settings extends Pick<Load, "connections" | "warmUpMs" | "measuredMs" | "sizes"> {
  readonly rounds: number;
}

/** Everything that was measured, each round by itself, for whoever wants to judge anew. */
export function fileOf(
  results: readonly Result[],
  settings: Settings,
  machine: unknown,
  sdk: unknown,
): string {
  const operations = results.map(({ operation, rounds, refusal, ratio }) => ({
    id: operation.id,
    title: operation.title,
    target: operation.target,
    ...(refusal === undefined ? { ratio: ratio.middle } : { refusal }),
    spread: ratio.spread,
    server: medianOf(rounds, "server"),
    ceiling: medianOf(rounds, "ceiling"),
    rounds,
  }));
  return `${JSON.stringify({ machine, settings, sdk, operations }, null, 2)}\n`;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
