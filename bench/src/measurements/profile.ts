import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { findOperation } from "../operations/all";
import { print } from "../results/findings";
import type { Run } from "../servers/target";
import { contextOf, createTarget, loadSide } from "../servers/target";
import { createTestbed } from "../servers/testbed";

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Loads one operation, writes a CPU profile of the server, and prints the functions that took the most time. */
export async function writeProfile({ options, settings, resources }: Run, id: string): Promise<void> {
  const operation = findOperation(id);
  const testbed = await createTestbed(resources, settings.sizes);
  const folder = options.output;
  const nodeFlags = ["--cpu-prof", "--cpu-prof-interval=500", `--cpu-prof-dir=${folder}`];
  const server = await testbed.startServer({ nodeFlags });
  const longer = { ...settings, warmUpMs: 500, measuredMs: 6_000 };
  const target = await createTarget(testbed, server, longer);
  await operation.prepare?.(contextOf(target));
  await loadSide(target, operation, "server", { next: 0 });
  await server.stop();
  const [newest] = (await readdir(folder))
    .filter((name) => name.startsWith("CPU."))
    .sort()
    .reverse();
  if (newest === undefined) throw new Error("Node wrote no profile.");
  const file = join(folder, `${id}.cpuprofile`);
  await rename(join(folder, newest), file);
  // Node's own format.
  const profile = JSON.parse(await readFile(file, "utf8")) as CpuProfile;
  print(`${topOf(profile).join("\n")}\n\nThe whole profile: ${file}`);
}

function topOf({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "?";
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  spent.delete("(idle)");
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 45)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`);
}

function nameOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const file = url.split("/").slice(-3).join("/");
  return file === "" ? functionName : `${functionName || "(anonymous)"}  ${file}:${lineNumber + 1}`;
}
