import { cpus } from "node:os";
import { compareSides, createTarget } from "./compare";
import { type Findings, print } from "./findings";
import { operations } from "./operations/all";
import { lineOf, notesOn, tableOf } from "./report";
import { failedRow, type Measurement, type Row } from "./row";
import type { Run } from "./run";
import { sdkMeasurements } from "./sdk";
import { createTestbed } from "./testbed";

/**
 * Compares the server with the ceiling, keyed with unkeyed requests, two workers with one, and the SDK with `fetch`.
 */
export async function measureRatios({ options, settings, resources }: Run): Promise<Findings> {
  const { only, against } = options;
  const isChosen = (id: string) => only.length === 0 || only.some((start) => id.startsWith(start));
  const testbed = await createTestbed(resources, settings.sizes);
  // Autovacuum would affect only one side. `compareSides` vacuums between rounds.
  await testbed.database.query("ALTER SYSTEM SET autovacuum = off");
  await testbed.database.query("SELECT pg_reload_conf()");
  const server = await testbed.startServer();
  const ceiling =
    against === undefined ? await testbed.startCeiling() : await testbed.startServer({ program: against });
  const workers = await testbed.startServer({ arguments: ["--workers", "2"] });
  const target = await createTarget(testbed, server, settings);
  const targets = {
    server: target,
    ceiling: { ...target, server: ceiling },
    serverUnkeyed: target,
    ceilingUnkeyed: { ...target, server: ceiling },
    workers: { ...target, server: workers },
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
