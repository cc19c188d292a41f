import { cpus } from "node:os";
import { compareLoads } from "../load/compare";
import { type Pair, pairsOf } from "../load/pairs";
import type { Operation } from "../operations/operation";
import { reads } from "../operations/reads";
import { deletions, writes } from "../operations/writes";
import { type Findings, print } from "../results/findings";
import { lineOf, notesOn, tableOf } from "../results/report";
import { failedRow, type Measurement, type Row } from "../results/row";
import type { Side } from "../servers/side";
import { contextOf, createTarget, type Run, type Target } from "../servers/target";
import { createTestbed, disableAutovacuum } from "../servers/testbed";
import { findDifference } from "./check-responses";
import { sdkMeasurements } from "./sdk";

/**
 * Compares the server with the baseline, keyed with unkeyed requests, and the SDK with `fetch`.
 */
export async function measureRatios({ options, settings, resources }: Run): Promise<Findings> {
  const { isChosen, against } = options;
  const testbed = await createTestbed(resources, settings.sizes);
  await disableAutovacuum(testbed.database);
  const target = await createTarget(testbed, await testbed.startServer(), settings);
  const baseline =
    against === undefined
      ? { ...target, server: await testbed.startBaseline() }
      : await startOther(against, { settings, resources });
  const targets = { server: target, baseline, serverUnkeyed: target, baselineUnkeyed: baseline };
  const rowsOf = (operations: readonly Operation[]): Measurement[] =>
    operations
      .filter(({ id }) => isChosen(id))
      .map((operation) => ({ ...operation, measure: () => compareSides(targets, operation) }));
  const measurements = [
    // The reads first, because the writes change what is read.
    ...rowsOf([...reads, ...writes]),
    ...(isChosen("sdk") ? sdkMeasurements(target) : []),
    ...rowsOf(deletions),
  ];
  const rows: Row[] = [];
  for (const { title, measure } of measurements) {
    const measured = await measure().catch((error: unknown) => {
      if (resources.disposed) throw error;
      // A failed row must not lose the others.
      return [failedRow({ title }, String(error))];
    });
    rows.push(...measured);
    for (const row of measured) print(lineOf(row));
  }
  const machine = { processors: cpus().length, node: process.version, postgres: testbed.postgresVersion };
  return { tables: [tableOf(rows)], notes: notesOn(rows), data: { machine, settings, rows } };
}

/** Another build, on a database of its own with the same rows, since its schema may be another. */
async function startOther(program: string, { settings, resources }: Pick<Run, "settings" | "resources">) {
  const testbed = await createTestbed(resources, settings.sizes, { program });
  await disableAutovacuum(testbed.database);
  return createTarget(testbed, await testbed.startServer(), settings);
}

type Targets = Readonly<Record<Side, Target>>;

/** Earlier turns belong to the check. */
const firstTurn = 10;

/** A row for each pair of sides, if their responses are equal. */
async function compareSides(targets: Targets, operation: Operation): Promise<Row[]> {
  const pairs = pairsOf(operation);
  await operation.prepare?.(contextOf(targets.server));
  // Another build has the database of its version, and may have other responses.
  const databases = new Set(Object.values(targets).map(({ testbed }) => testbed.database));
  const difference = databases.size === 1 ? await checkResponses(targets, operation, pairs) : undefined;
  if (difference !== undefined) return pairs.map((pair) => failedRow(pair, difference));
  for (const database of databases) {
    await database.query("ANALYZE");
    await database.query("CHECKPOINT");
  }
  const turns = { next: firstTurn };
  const rows: Row[] = [];
  for (const pair of pairs) {
    const loadOf = (side: Side) => {
      const { settings, ...target } = targets[side];
      const { connections = settings.connections } = pair;
      return { target: { ...target, settings: { ...settings, connections } }, operation, side };
    };
    rows.push(await compareLoads(loadOf(pair.subject), loadOf(pair.baseline), pair, turns));
  }
  return rows;
}

async function checkResponses(
  targets: Targets,
  operation: Operation,
  pairs: readonly Pair[],
): Promise<string | undefined> {
  for (const { subject, baseline, connections } of pairs) {
    // The same server, or requests that were checked.
    if (targets[subject].server === targets[baseline].server || connections !== undefined) continue;
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
