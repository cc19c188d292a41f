import { findOperation } from "../operations/all";
import type { Findings } from "../results/findings";
import { type Measured, medianOf } from "../results/row";
import { createTarget, loadSide, type Run } from "../servers/target";
import { createTestbed, disableAutovacuum, masterHeaders } from "../servers/testbed";

/** The history does not matter here. */
const messages = 10_000;
/** How long the hook takes to respond. Null: there is no hook. */
const delaysMs = [null, 0, 20];
const connectionCounts = [16, 64];

/**
 * Sends that a hook checks, compared with an ideal: a hook that costs nothing but its time. Then as many messages would be sent as without
 * it, unless its connections wait for it: none sends more often than alone, with the time of the hook.
 */
export async function measureHooks({ settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, sizes: { ...settings.sizes, messages } };
  const testbed = await createTestbed(resources, sized.sizes);
  await disableAutovacuum(testbed.database);
  const environment = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
  const server = await testbed.startServer({ environment });
  const receiver = await testbed.startHookReceiver();
  const target = await createTarget(testbed, server, sized);
  const operation = findOperation("messages.send");
  const turns = { next: 0 };
  const load = (connections: number, measuredMs = settings.measuredMs) => {
    const ofConnections = { ...target, settings: { ...sized, connections } };
    return loadSide(ofConnections, operation, "server", turns, measuredMs, [receiver.pid]);
  };
  await load(Math.max(...connectionCounts), settings.compileMs);
  const alone = await load(1);
  const rows = connectionCounts.flatMap((connections) =>
    delaysMs.map((delayMs) => ({ connections, delayMs, rounds: [] as Measured[] })),
  );
  // The rows alternate, so that a machine that slows down does not affect their ratios.
  for (let round = 0; round < settings.rounds; round += 1)
    for (const { connections, delayMs, rounds } of rows) {
      const remove =
        delayMs === null ? undefined : await createHook(server.url, `${receiver.url}/${delayMs}`);
      rounds.push(await load(connections));
      await remove?.();
    }
  const results = rows.map(({ rounds, ...row }) => ({ ...row, measured: medianOf(rounds) }));
  const cellsOf = ({ connections, delayMs, measured }: Result) => {
    const without = results.find((row) => row.connections === connections && row.delayMs === null);
    const maxPerSecond = (1_000 * connections) / (1_000 / alone.perSecond + (delayMs ?? 0));
    const ideal = Math.min(without?.measured.perSecond ?? Number.NaN, maxPerSecond);
    return [
      `${connections} connections, ${delayMs === null ? "no hook" : `a hook of ${delayMs} ms`}`,
      measured.perSecond.toFixed(0),
      ideal.toFixed(0),
      (measured.perSecond / ideal).toFixed(2),
      `${measured.nodeMs.toFixed(3)} + ${measured.postgresMs.toFixed(3)}`,
      measured.othersMs.toFixed(3),
      measured.p99Ms.toFixed(1),
    ];
  };
  const failed = results.reduce((sum, { measured }) => sum + measured.failed, 0);
  return {
    tables: [[columns, ...results.map(cellsOf)]],
    notes: [`${failed} requests failed.`],
    data: { alone, results },
  };
}

const columns = [
  "sends",
  "per second",
  "ideal",
  "of it",
  "Node + PostgreSQL, ms",
  "the hook's program, ms",
  "p99, ms",
];

interface Result {
  readonly connections: number;
  readonly delayMs: number | null;
  readonly measured: Measured;
}

/** Returns a function that deletes the hook. */
async function createHook(serverUrl: string, url: string): Promise<() => Promise<void>> {
  const headers = { ...masterHeaders, "content-type": "application/json" };
  const body = JSON.stringify({ url, operations: ["messages.send"], callers: "all", on_failure: "reject" });
  const response = await fetch(`${serverUrl}/v1/hooks`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`No hook was created: ${response.status} ${await response.text()}`);
  // The response of the contract.
  const { hook_id } = (await response.json()) as { hook_id: string };
  return async () => {
    const deleted = await fetch(`${serverUrl}/v1/hooks/${hook_id}`, { method: "DELETE", headers });
    if (!deleted.ok) throw new Error(`The hook was not deleted: ${deleted.status}`);
  };
}
