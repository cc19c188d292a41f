import { cpus } from "node:os";
import { compareSides, createTarget } from "./compare";
import { type Findings, tell } from "./findings";
import { operations } from "./operations/all";
import { lineOf, notesOn, tableOf } from "./report";
import type { Row } from "./row";
import type { Run } from "./run";
import { compareSdk } from "./sdk";
import { createTestbed } from "./testbed";

/** The server against the ceiling, with keys against without, two workers against one, and the SDK against `fetch`. */
export async function measureRatios({ options, settings, resources }: Run): Promise<Findings> {
  const { only, against } = options;
  const isChosen = (id: string) => only.length === 0 || only.some((start) => id.startsWith(start));
  const testbed = await createTestbed(resources, settings.sizes);
  // It would run during the turn of one side. `compareSides` vacuums between the rounds.
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
  const rows: Row[] = [];
  const add = (measured: readonly Row[]) => {
    rows.push(...measured);
    for (const row of measured) tell(lineOf(row));
  };
  for (const operation of operations.filter(({ id }) => isChosen(id)))
    add(await compareSides(targets, operation));
  if (isChosen("sdk")) add(await compareSdk(target));
  const machine = { processors: cpus().length, node: process.version, postgres: testbed.postgresVersion };
  return { tables: [tableOf(rows)], notes: notesOn(rows), data: { machine, settings, rows } };
}
