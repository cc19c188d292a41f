import { findOperation } from "./operations/all";
import { evaluate, type Round, type Row } from "./row";
import { loadSide, type Target } from "./target";

/** Compares the processor time of sends to two servers on the same database, in alternating rounds. */
export async function compareSends(
  id: "messages.send" | "messages.sendOne",
  subject: Target,
  baseline: Target,
  { title, target: ratio }: { readonly title: string; readonly target: number },
): Promise<Row> {
  const operation = findOperation(id);
  const { settings, testbed } = subject;
  const turns = { next: 0 };
  const load = (target: Target, measuredMs = settings.measuredMs) =>
    loadSide(target, operation, "server", turns, measuredMs);
  await load(subject, settings.compileMs);
  await load(baseline, settings.compileMs);
  for (let attempt = 1; ; attempt += 1) {
    const rounds: Round[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      await testbed.database.query("VACUUM");
      // Every second round in reverse order, so that growing tables favour no side.
      if (round % 2 === 0) rounds.push({ subject: await load(subject), baseline: await load(baseline) });
      else rounds.push({ baseline: await load(baseline), subject: await load(subject) });
    }
    const row = evaluate({ title: `${operation.title}, ${title}`, target: ratio }, rounds, attempt);
    if (row.fault === undefined || attempt === settings.attempts) return row;
  }
}
