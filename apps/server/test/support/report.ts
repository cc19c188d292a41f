import { appendFile } from "node:fs/promises";
import { expect, inject } from "vitest";

export interface Row {
  readonly fault: string;
  readonly load: string;
  readonly sent: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly wrong: number;
  readonly maxOutageMs?: number | undefined;
}

/** The long form runs as long as the published figures require; `npm test` runs the short form. */
export const isLong = process.env.MADANG_CHAOS === "long";

export function scale<Value>(short: Value, long: Value): Value {
  return isLong ? long : short;
}

/** The table shows the figure. The test fails only far above the limit, because the machine may do other work. */
const tolerance = 5;

/** Asserts a time limit in the long form only, because the load of a machine that runs `npm test` is unknown. */
export function expectWithinIfLong(limitMs: number, tookMs: number): void {
  if (isLong) expect(tookMs).toBeLessThan(limitMs * tolerance);
}

/** Asserts that all requests succeeded. In the short form, one in twenty may have got 503: a machine that does other work may stand still. */
export function expectNearlyAll(succeeded: number, sent: number): void {
  expect(succeeded).toBeGreaterThanOrEqual(scale(Math.floor(0.95 * sent), sent));
}

/** What a test asserts to be 0, a row need not repeat. */
const none = { lost: 0, duplicated: 0, wrong: 0 };

/** Adds a row to the table that the long form prints at the end. */
export async function report(row: Omit<Row, keyof typeof none> & Partial<Row>): Promise<void> {
  const file = inject("chaosReport");
  if (file !== undefined) await appendFile(file, `${JSON.stringify({ ...none, ...row })}\n`);
}

/** The part of a load that a row shows. The command line imports this file, but not the loads. */
interface LoadCounts {
  readonly sent: number;
  readonly wrong: readonly unknown[];
  readonly maxGapMs: number;
  acknowledged(): number;
}

interface DataCounts {
  readonly lost: number;
  readonly duplicated: number;
  readonly violations: readonly unknown[];
}

export function rowOf(
  fault: string,
  writers: number,
  load: LoadCounts,
  { lost, duplicated, violations }: DataCounts,
): Row {
  return {
    fault,
    load: `${writers} writers`,
    sent: load.sent,
    acknowledged: load.acknowledged(),
    lost,
    duplicated,
    wrong: load.wrong.length + violations.length,
    maxOutageMs: load.maxGapMs,
  };
}

declare module "vitest" {
  interface ProvidedContext {
    chaosReport: string | undefined;
  }
}
