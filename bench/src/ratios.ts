import { cpus } from "node:os";
import { compareSides } from "./compare";
import { type Findings, print } from "./findings";
import { operations } from "./operations/all";
import { lineOf, notesOn, tableOf } from "./report";
import { failedRow, type Measurement, type Row } from "./row";
import { sdkMeasurements } from "./sdk";
import { manyConnections } from "./sides";
import { createTarget, type Run } from "./target";
import { createTestbed } from "./testbed";

/**
 * Compares the server with the baseline, keyed with unkeyed requests, and the SDK with `fetch`.
 */
export async function measureRatios({ options, settings, resources }: Run): Promise<Findings> {
  const { isChosen, against } = options;
  const testbed = await createTestbed(resources, settings.sizes);
  // Autovacuum would affect only one side. `compareSides` vacuums between rounds.
  await testbed.database.query("ALTER SYSTEM SET autovacuum = off");
  await testbed.database.query("SELECT pg_reload_conf()");
  const server = await testbed.startServer();
  const baseline =
    against === undefined ? await testbed.startBaseline() : await testbed.startServer({ program: against });
  const target = await createTarget(testbed, server, settings);
  const many = { ...settings, connections: manyConnections };
  const targets = {
    server: target,
    baseline: { ...target, server: baseline },
    serverUnkeyed: target,
    baselineUnkeyed: { ...target, server: baseline },
    serverOfMany: { ...target, settings: many },
    baselineOfMany: { ...target, settings: many, server: baseline },
  };
  const measurements: Measurement[] = [
    ...operations
      .filter(({ id }) => isChosen(id))
      .map((operation) => ({ ...operation, measure: () => compareSides(targets, operation) })),
    ...(isChosen("sdk") ? sdkMeasurements(target) : []),
  ];
  const rows: Row[] = [];
  for (const { title, target, measure } of measurements) {
    const measured = await measure().catch((error: unknown) => {
      if (resources.disposed) throw error;
      // A failed row must not lose the others.
      return [failedRow({ title, target }, String(error))];
    });
    rows.push(...measured);
    for (const row of measured) print(lineOf(row));
  }
  const machine = { processors: cpus().length, node: process.version, postgres: testbed.postgresVersion };
  return { tables: [tableOf(rows)], notes: notesOn(rows), data: { machine, settings, rows } };
}
