import type { Operation } from "../operations/operation";
import type { Measured } from "../results/row";
import { type Expectation, evaluate, type Round, type Row } from "../results/row";
import type { Side } from "../servers/side";
import { loadSide, type Settings, type Target } from "../servers/target";

export interface Load {
  readonly target: Target;
  readonly operation: Operation;
  /** By default "server". */
  readonly side?: Side;
}

/**
 * Compares the processor time of two loads. They may run on the same database, and so may several comparisons, which then
 * share their turns: the rows that each of them creates are different ones.
 */
export async function compareLoads(
  subject: Load,
  baseline: Load,
  expectation: Expectation,
  turns = { next: 0 },
): Promise<Row> {
  const { settings } = subject.target;
  const databases = new Set([subject, baseline].map(({ target }) => target.testbed.database));
  const load = ({ target, operation, side = "server" }: Load, measuredMs = settings.measuredMs) =>
    loadSide(target, operation, side, turns, measuredMs);
  await load(subject, settings.compileMs);
  await load(baseline, settings.compileMs);
  return compareRounds(
    () => load(subject),
    () => load(baseline),
    expectation,
    settings,
    async () => {
      for (const database of databases) await database.query("VACUUM");
    },
  );
}

type MeasureRound = () => Promise<Measured>;

/** Measures two sides in alternating rounds, again if the rounds spread too far. */
export async function compareRounds(
  subject: MeasureRound,
  baseline: MeasureRound,
  expectation: Expectation,
  { rounds: count, attempts }: Settings,
  prepareRound: () => Promise<void> = async () => undefined,
): Promise<Row> {
  for (let attempt = 1; ; attempt += 1) {
    const rounds: Round[] = [];
    for (let index = 0; index < count; index += 1) {
      await prepareRound();
      // Every second round in reverse order, so that growing tables favour no side.
      if (index % 2 === 0) rounds.push({ subject: await subject(), baseline: await baseline() });
      else rounds.push({ baseline: await baseline(), subject: await subject() });
    }
    const row = evaluate(expectation, rounds, attempt);
    if (row.fault === undefined || attempt === attempts) return row;
  }
}
