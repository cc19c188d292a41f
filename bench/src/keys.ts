import { createTarget, loadSide, type Settings } from "./compare";
import type { Findings } from "./findings";
import { countExpired, fillKeys, readKeyTable } from "./key-table";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import { costMs } from "./row";
import type { Run } from "./run";
import { median } from "./statistics";
import { createTestbed, type Testbed } from "./testbed";

const ids = ["channels.reuse", "users.create", "channels.create", "messages.sendOne", "messages.send"];
const rounds = 5;

/** Measures what keyed requests write to the table of idempotency keys, and the sweep of a large table under load. */
export async function measureKeys({ options, settings, resources }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  const writes: Writes[] = [];
  for (const id of ids) writes.push(await measureWrites(testbed, settings, id));
  const count = options.quick ? 1_000_000 : 10_000_000;
  await fillKeys(testbed.database, count, Date.now());
  const { tableBytes, indexBytes } = await readKeyTable(testbed.database);
  const sweep = await measureSweep(testbed, settings);
  return {
    tables: [
      [
        ["with an idempotency key", "row versions", "HOT updates", "bytes per key"],
        ...writes.map(({ id, versions, hotUpdates, bytes }) => [
          findOperation(id).title,
          versions.toFixed(2),
          hotUpdates.toFixed(2),
          formatInteger(bytes),
        ]),
      ],
      [
        ["send, over 10,000 channels", "ms", "p99, ms", "per second"],
        ["with few keys stored", ...summaryOf(writes.at(-1)?.loads ?? [])],
        [`with ${formatInteger(count)}, during the sweep`, ...summaryOf(sweep.during)],
        ["after the sweep", ...summaryOf(sweep.after)],
      ],
    ],
    notes: [
      `${formatInteger(count)} keys take ${formatInteger(tableBytes / 1e6)} MB, and their indexes ${formatInteger(indexBytes / 1e6)} MB.`,
      `The sweep removed ${formatInteger(sweep.removed)} expired keys in ${sweep.seconds.toFixed(0)} s, under this load.`,
    ],
    data: { writes, count, tableBytes, indexBytes, sweep },
  };
}

/** Values per keyed request, and the measured loads. */
interface Writes {
  readonly id: string;
  readonly versions: number;
  readonly hotUpdates: number;
  readonly bytes: number;
  readonly loads: readonly Measured[];
}

async function measureWrites(testbed: Testbed, settings: Settings, id: string): Promise<Writes> {
  const before = await readKeyTable(testbed.database);
  const { load, server } = await startLoad(testbed, settings, id);
  const loads = await repeat(rounds, load);
  await server.stop();
  const after = await readKeyTable(testbed.database);
  const keys = after.inserted - before.inserted;
  const bytes = after.tableBytes + after.indexBytes - before.tableBytes - before.indexBytes;
  return {
    id,
    versions: 1 + (after.updated - before.updated) / keys,
    hotUpdates: (after.hotUpdated - before.hotUpdated) / keys,
    bytes: bytes / keys,
    loads,
  };
}

/** A server sweeps when it starts, and every minute. */
async function measureSweep(testbed: Testbed, settings: Settings) {
  const startedAt = Date.now();
  const removed = await countExpired(testbed.database, startedAt);
  const { load } = await startLoad(testbed, settings, "messages.send");
  const during: Measured[] = [];
  while ((await countExpired(testbed.database, startedAt)) > 0) during.push(await load());
  const seconds = (Date.now() - startedAt) / 1_000;
  return { removed, seconds, during, after: await repeat(rounds, load) };
}

export async function startLoad(testbed: Testbed, settings: Settings, id: string) {
  const server = await testbed.startServer();
  const target = await createTarget(testbed, server, settings);
  const turns = { next: 0 };
  const load = async (measuredMs = settings.measuredMs) => {
    const measured = await loadSide(target, findOperation(id), "server", turns, measuredMs);
    if (measured.failed > 0) throw new Error(`${id}: ${measured.failed} requests failed.`);
    return measured;
  };
  // Node compiles hot code, which is not measured.
  await load(settings.compileMs);
  return { server, load: () => load() };
}

async function repeat<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) results.push(await work());
  return results;
}

function summaryOf(loads: readonly Measured[]): string[] {
  const p99 = median(loads.map(({ p99Ms }) => p99Ms)).toFixed(1);
  return [
    median(loads.map(costMs)).toFixed(3),
    p99,
    formatInteger(median(loads.map(({ perSecond }) => perSecond))),
  ];
}

const formatInteger = (value: number) => Math.round(value).toLocaleString("en-US");
