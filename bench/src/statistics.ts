import type { Measured } from "./load";
import type { Side } from "./operations/operation";

/** One round: both sides loaded one after the other. */
export type Round = Readonly<Record<Side, Measured>>;

export interface Ratio {
  /** The median of the rounds' ratios. */
  readonly middle: number;
  /** How far the lowest and the highest lie apart, as a share of the middle. */
  readonly spread: number;
}

/** Ratios are taken within a round, so that a machine that grows slower in the meantime does not count. */
export function ratioOf(rounds: readonly Round[]): Ratio {
  return summarize(rounds.map(({ server, ceiling }) => server.perSecond / ceiling.perSecond));
}

export function summarize(ratios: readonly number[]): Ratio {
  const middle = median(ratios);
  return { middle, spread: (Math.max(...ratios) - Math.min(...ratios)) / middle };
}

export function medianOf(rounds: readonly Round[], side: Side): Measured {
  const of = (name: keyof Measured) => median(rounds.map((round) => round[side][name]));
  return {
    perSecond: of("perSecond"),
    p50Ms: of("p50Ms"),
    p99Ms: of("p99Ms"),
    nodeMs: of("nodeMs"),
    postgresMs: of("postgresMs"),
    failed: rounds.reduce((sum, round) => sum + round[side].failed, 0),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}
