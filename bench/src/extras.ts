import { type Contest, loadSide } from "./contest";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import type { Settings } from "./report";
import { makeSubKey, type Stage } from "./stage";
import { bigRoom } from "./world";

export interface Extras {
  /** From the start of the program on a migrated database to the line that says where it listens. */
  readonly coldStartMs: number;
  /** The p99 of a look-up while four clients export without pause. */
  readonly getWhileExportingP99Ms: number;
  /** Pages of 1,000 a second of two workers, of those of one process. */
  readonly twoWorkers: number;
  /** How long it takes to delete the channel that holds the whole history. */
  readonly deletionMs: number;
  /** The p99 of a look-up while the history is being cleared away. */
  readonly getWhileClearingP99Ms: number;
}

/** What is asked of the server beyond single operations. The last of them destroys the stage's history. */
export async function measureExtras(stage: Stage, settings: Settings): Promise<Extras> {
  const one = await contestOf(stage, settings, []);
  const exporting = await load(one.contest, "exports.1000.newest", {});
  const [whileExporting] = await Promise.all([
    load(one.contest, "users.get", { connections: 4 }),
    load(one.contest, "exports.1000.newest", { connections: 4 }),
  ]);
  await one.stop();
  const two = await contestOf(stage, settings, ["--workers", "2"]);
  await load(two.contest, "exports.1000.newest", {});
  const shared = await load(two.contest, "exports.1000.newest", {});
  const startedAt = performance.now();
  await remove(two.contest);
  const deletionMs = performance.now() - startedAt;
  const whileClearing = await load(two.contest, "users.get", { connections: 4 });
  await two.stop();
  return {
    coldStartMs: one.startMs,
    getWhileExportingP99Ms: whileExporting.p99Ms,
    twoWorkers: shared.perSecond / exporting.perSecond,
    deletionMs,
    getWhileClearingP99Ms: whileClearing.p99Ms,
  };
}

async function contestOf(stage: Stage, settings: Settings, options: readonly string[]) {
  const startedAt = performance.now();
  const server = await stage.startServer([], options);
  const startMs = performance.now() - startedAt;
  const key = await makeSubKey(server.url);
  const contest: Contest = { stage, sides: { server, ceiling: server }, settings, key };
  // Node compiles what is hot; that is over before anything counts.
  await load(contest, "exports.1000.newest", {});
  return { contest, startMs, stop: server.stop };
}

function load(contest: Contest, id: string, change: Partial<Settings>): Promise<Measured> {
  const changed = { ...contest, settings: { ...contest.settings, ...change } };
  return loadSide(changed, findOperation(id), "server", { server: 0, ceiling: 0 });
}

async function remove({ sides, key }: Contest): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await fetch(`${sides.server.url}/v1/group/channels/${bigRoom}`, {
    method: "DELETE",
    headers,
  });
  if (status !== 200) throw new Error(`The channel was not deleted: ${status}`);
}
