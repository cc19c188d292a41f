import { createTarget, loadSide, type Settings, type Target } from "./compare";
import { measureDeletion } from "./deletion";
import { type Finding, tableOfFindings } from "./finding";
import type { Findings } from "./findings";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import { costMs } from "./row";
import type { Run } from "./run";
import { createTestbed } from "./testbed";

/** Measures what involves more than one operation. The deletion comes last, because it removes the history. */
export async function measureExtras({ resources, settings }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  const startedAt = performance.now();
  const server = await testbed.startServer();
  const startMs = performance.now() - startedAt;
  const target = await createTarget(testbed, server, settings);
  await load(target, "exports.1000.newest", { measuredMs: settings.compileMs });
  const [duringExports] = await Promise.all([
    load(target, "users.get", { connections: 4 }),
    load(target, "exports.1000.newest", { connections: 4 }),
  ]);
  await load(target, "users.channels", { measuredMs: settings.compileMs });
  const inbox = await load(target, "users.channels", {});
  const unread = await load(target, "users.unread", {});
  await server.stop();
  let duringDeletion: Measured | undefined;
  const deletion = await measureDeletion(target, async (deleting) => {
    duringDeletion = await load({ ...target, server: deleting }, "users.get", { connections: 4 });
  });
  const history = settings.sizes.messages.toLocaleString("en-US");
  const findings: Finding[] = [
    { title: "cold start", value: startMs, unit: "ms", max: 1_000 },
    {
      title: "inbox of 1,000 channels, 15 per page",
      value: costMs(inbox),
      unit: "ms of processor time",
      max: 5,
    },
    { title: "unread messages of 1,000 channels", value: costMs(unread), unit: "ms of processor time" },
    {
      title: "p99 of a get during the exports of four clients",
      value: duringExports.p99Ms,
      unit: "ms",
      max: 25,
    },
    { title: `deleting a channel of ${history} messages`, value: deletion.responseMs, unit: "ms", max: 50 },
    {
      title: "p99 of a get while its messages are removed",
      value: duringDeletion?.p99Ms ?? Number.NaN,
      unit: "ms",
    },
    { title: "rows left when the server is killed meanwhile", value: deletion.leftAtKill, unit: "rows" },
    { title: "removal, without the restart", value: deletion.removalSeconds, unit: "s" },
    { title: "rows left at the end", value: deletion.leftAtEnd, unit: "rows", max: 0 },
  ];
  return { tables: [tableOfFindings(findings)], notes: [], data: findings };
}

async function load(target: Target, id: string, change: Partial<Settings>): Promise<Measured> {
  const changed = { ...target, settings: { ...target.settings, ...change } };
  const measured = await loadSide(changed, findOperation(id), "server", { next: 0 });
  if (measured.failed > 0) throw new Error(`${id}: ${measured.failed} requests failed.`);
  return measured;
}
