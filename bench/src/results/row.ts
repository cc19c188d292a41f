import { median, type Ratio, summarize } from "./statistics";

/** Times are milliseconds; those of Node and PostgreSQL are processor time per request, NaN where it is not available. */
export interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** Of the load itself. */
  readonly loadMs: number;
  /** Of the workers of a cluster of PostgreSQL. */
  readonly othersMs: number;
  /** How many processors other programs of this machine used. */
  readonly otherProcessors: number;
  readonly failed: number;
}

export interface Expectation {
  readonly title: string;
  /** The maximum of the subject's p99. */
  readonly maxP99Ms?: number | undefined;
  /** By default the baseline's cost divided by the subject's. */
  readonly ratioOf?: (round: Round) => number;
}

export interface Round {
  readonly subject: Measured;
  readonly baseline: Measured;
}

export interface Row extends Expectation, Round {
  readonly ratio: Ratio;
  readonly p99Ratio: number;
  /** Why there is no verdict: the responses differ, a request failed, or the rounds spread too far. */
  readonly fault: string | undefined;
  /** How often the row was measured. */
  readonly attempts: number;
  readonly rounds: readonly Round[];
}

/** One row, or several that are measured together. */
export interface Measurement extends Expectation {
  measure(): Promise<Row[]>;
}

/** Rounds that spread further allow no verdict. */
const maxSpread = 0.15;

/** Milliseconds of processor time per request. */
export const costMs = ({ nodeMs, postgresMs }: Measured) => nodeMs + postgresMs;

const costRatio = ({ subject, baseline }: Round) => costMs(baseline) / costMs(subject);

/** Ratios are computed per round, so that a machine that slows down does not affect them. */
export function evaluate(expectation: Expectation, rounds: readonly Round[], attempts: number): Row {
  const ratio = summarize(rounds.map(expectation.ratioOf ?? costRatio));
  return {
    ...expectation,
    ratio,
    p99Ratio: median(rounds.map(({ subject, baseline }) => subject.p99Ms / baseline.p99Ms)),
    fault: faultOf(rounds, ratio, attempts),
    attempts,
    subject: medianOf(rounds.map(({ subject }) => subject)),
    baseline: medianOf(rounds.map(({ baseline }) => baseline)),
    rounds,
  };
}

function faultOf(rounds: readonly Round[], { median, spread }: Ratio, attempts: number): string | undefined {
  const all = rounds.flatMap(({ subject, baseline }) => [subject, baseline]);
  const failed = all.reduce((sum, measured) => sum + measured.failed, 0);
  if (failed > 0) return `${failed} requests failed`;
  if (all.some(({ perSecond }) => perSecond === 0)) return "no request completed within a round";
  if (Number.isNaN(median)) return "processor time is not available on this system";
  if (spread <= maxSpread) return undefined;
  return `the rounds spread by ${(spread * 100).toFixed(0)} %, measured ${attempts} times`;
}

/** A row that cannot be measured. */
export const failedRow = (expectation: Expectation, fault: string): Row => ({
  ...evaluate(expectation, [], 0),
  fault,
});

/** Empty if nothing is expected. A row without a verdict counts as not reached. */
export function verdictOf({ maxP99Ms, subject, fault }: Row): string {
  if (maxP99Ms === undefined) return "";
  if (fault !== undefined) return "no verdict";
  return subject.p99Ms <= maxP99Ms ? "reached" : "not reached";
}

export function medianOf(measured: readonly Measured[]): Measured {
  const of = (name: keyof Measured) => median(measured.map((one) => one[name]));
  return {
    perSecond: of("perSecond"),
    p99Ms: of("p99Ms"),
    nodeMs: of("nodeMs"),
    postgresMs: of("postgresMs"),
    loadMs: of("loadMs"),
    othersMs: of("othersMs"),
    otherProcessors: of("otherProcessors"),
    failed: measured.reduce((sum, { failed }) => sum + failed, 0),
  };
}
