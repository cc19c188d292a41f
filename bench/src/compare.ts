import { findDifference } from "./check-responses";
import type { Measured } from "./load";
import type { Operation } from "./operations/operation";
import { type Pair, pairsOf } from "./pairs";
import { evaluate, failedRow, type Row } from "./row";
import { type Side, sides } from "./sides";
import { contextOf, loadSide, type Target } from "./target";

export type Targets = Readonly<Record<Side, Target>>;
type MeasuredSides = Partial<Record<Side, Measured>>;

/** A row for each pair of sides, from rounds in which all sides take turns. */
export async function compareSides(targets: Targets, operation: Operation): Promise<Row[]> {
  const { settings, testbed } = targets.server;
  const pairs = pairsOf(operation);
  await operation.prepare?.(contextOf(targets.server));
  const difference = await checkResponses(targets, operation, pairs);
  if (difference !== undefined) return pairs.map((pair) => failedRow(pair, difference));

  const turns = createTurns();
  const load = (side: Side, measuredMs = settings.measuredMs) =>
    loadSide(targets[side], operation, side, turns[side], measuredMs);
  await testbed.database.query("ANALYZE");
  await testbed.database.query("CHECKPOINT");
  for (const side of sidesOf(pairs)) await load(side, settings.compileMs);
  const rows = new Map<Pair, Row>();
  let remaining = pairs;
  for (let attempt = 1; attempt <= settings.attempts && remaining.length > 0; attempt += 1) {
    const used = sidesOf(remaining);
    const measurements: MeasuredSides[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      await testbed.database.query("VACUUM");
      const measurement: MeasuredSides = {};
      // Every second round in reverse order, so that growing tables favour no side.
      for (const side of round % 2 === 0 ? used : used.toReversed()) measurement[side] = await load(side);
      measurements.push(measurement);
    }
    for (const pair of remaining) rows.set(pair, evaluate(pair, roundsOf(pair, measurements), attempt));
    remaining = remaining.filter((pair) => rows.get(pair)?.fault !== undefined);
  }
  return [...rows.values()];
}

const sidesOf = (pairs: readonly Pair[]) =>
  sides.filter((side) => pairs.some(({ subject, baseline }) => subject === side || baseline === side));

/** Earlier turns belong to the check. */
const firstTurn = 10;

const createTurns = (): Record<Side, { next: number }> => ({
  server: { next: firstTurn },
  baseline: { next: firstTurn },
  serverUnkeyed: { next: firstTurn },
  baselineUnkeyed: { next: firstTurn },
  serverOfMany: { next: firstTurn },
  baselineOfMany: { next: firstTurn },
});

async function checkResponses(
  targets: Targets,
  operation: Operation,
  pairs: readonly Pair[],
): Promise<string | undefined> {
  for (const { subject, baseline } of pairs) {
    if (baseline !== "baseline" && baseline !== "baselineUnkeyed") continue;
    for (const side of [subject, baseline])
      await operation.refill?.(contextOf(targets[side]), side, 0, firstTurn);
    const difference = await findDifference(
      operation,
      { ...targets[subject], side: subject },
      { ...targets[baseline], side: baseline },
    );
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function roundsOf({ subject, baseline }: Pair, measurements: readonly MeasuredSides[]) {
  return measurements.flatMap((measurement) => {
    const [ofSubject, ofBaseline] = [measurement[subject], measurement[baseline]];
    return ofSubject && ofBaseline ? [{ subject: ofSubject, baseline: ofBaseline }] : [];
  });
}
