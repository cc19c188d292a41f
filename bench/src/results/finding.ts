/** A measured value, and the limit that the project promises. */
export interface Finding {
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  readonly max?: number;
}

export const tableOfFindings = (findings: readonly Finding[]): string[][] => [
  ["", "measured", "at most", ""],
  ...findings.map(cellsOf),
];

function cellsOf({ title, value, unit, max }: Finding): string[] {
  const digits = unit === "rows" ? 0 : 1;
  const formatted = value.toLocaleString("en-US", {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  });
  const verdict = max === undefined ? "" : value <= max ? "reached" : "not reached";
  return [title, `${formatted} ${unit}`, max?.toLocaleString("en-US") ?? "", verdict];
}
