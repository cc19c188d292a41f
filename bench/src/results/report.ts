import type { Measured } from "./row";
import { type Row, verdictOf } from "./row";

const columns: Readonly<Record<string, (row: Row) => string>> = {
  operation: ({ title }) => title,
  ratio: ({ ratio }) => fixed(ratio.median, 2),
  spread: ({ ratio }) => percent(ratio.spread),
  "p99 ratio": ({ p99Ratio }) => fixed(p99Ratio, 2),
  "Node + PostgreSQL, ms": ({ subject }) => costOf(subject),
  "baseline, ms": ({ baseline }) => costOf(baseline),
  "per second": ({ subject }) => rateOf(subject),
  "p99, ms": ({ subject }) => fixed(subject.p99Ms, 1),
  "at most": ({ maxP99Ms }) => (maxP99Ms === undefined ? "" : String(maxP99Ms)),
  verdict: verdictOf,
};

export function tableOf(rows: readonly Row[]): string[][] {
  return [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))];
}

/** How many targets are reached, and why rows have no verdict. */
export function notesOn(rows: readonly Row[]): string[] {
  const expected = rows.filter((row) => verdictOf(row) !== "");
  const reached = expected.filter((row) => verdictOf(row) === "reached");
  const faults = rows.flatMap(({ title, fault }) => (fault === undefined ? [] : [`${title}: ${fault}.`]));
  return [`${reached.length} of ${expected.length} rows reach their targets.`, ...faults];
}

/** Printed while other rows are measured. */
export const lineOf = (row: Row) => `${row.title}: ${fixed(row.ratio.median, 2)} ${verdictOf(row)}`;

/** Rows of the SDK have no PostgreSQL time. */
const costOf = ({ nodeMs, postgresMs }: Measured) =>
  postgresMs === 0 ? fixed(nodeMs, 3) : `${fixed(nodeMs, 3)} + ${fixed(postgresMs, 3)}`;
const rateOf = ({ perSecond }: Measured) =>
  Number.isNaN(perSecond) ? "n/a" : Math.round(perSecond).toLocaleString("en-US");
const percent = (share: number) => (Number.isNaN(share) ? "n/a" : `${fixed(share * 100, 0)} %`);
const fixed = (value: number, digits: number) => (Number.isNaN(value) ? "n/a" : value.toFixed(digits));
