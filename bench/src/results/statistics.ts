export interface Ratio {
  readonly median: number;
  /** The distance between the first and the third quartile, as a share of the median. */
  readonly spread: number;
}

export function summarize(ratios: readonly number[]): Ratio {
  const middle = median(ratios);
  return { median: middle, spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / middle };
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Interpolates between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const index = share * (sorted.length - 1);
  const [lower = Number.NaN, upper = lower] = sorted.slice(Math.floor(index), Math.floor(index) + 2);
  return lower + (index % 1) * (upper - lower);
}
