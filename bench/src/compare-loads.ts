import type { Operation } from "./operations/operation";
import { type Expectation, evaluate, type Round, type Row } from "./row";
import { loadSide, type Target } from "./target";

export interface Load {
  readonly target: Target;
  readonly operation: Operation;
}

/** Compares the processor time of two loads in alternating rounds. They may run on the same database. */
export async function compareLoads(subject: Load, baseline: Load, expectation: Expectation): Promise<Row> {
  const { settings } = subject.target;
  const databases = new Set([subject, baseline].map(({ target }) => target.testbed.database));
  // Shared, because both may create rows in one database.
  const turns = { next: 0 };
  const load = ({ target, operation }: Load, measuredMs = settings.measuredMs) =>
    loadSide(target, operation, "server", turns, measuredMs);
  await load(subject, settings.compileMs);
  await load(baseline, settings.compileMs);
  for (let attempt = 1; ; attempt += 1) {
    const rounds: Round[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const database of databases) await database.query("VACUUM");
      // Every second round in reverse order, so that growing tables favour no side.
      if (round % 2 === 0) rounds.push({ subject: await load(subject), baseline: await load(baseline) });
      else rounds.push({ baseline: await load(baseline), subject: await load(subject) });
    }
    const row = evaluate(expectation, rounds, attempt);
    if (row.fault === undefined || attempt === settings.attempts) return row;
  }
}
