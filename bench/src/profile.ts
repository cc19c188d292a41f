import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The flags that make Node keep a profile from its start to its end. */
export const profileFlags = (folder: string) => [
  "--cpu-prof",
  "--cpu-prof-interval=500",
  `--cpu-prof-dir=${folder}`,
];

/** Names the profile after its operation, and tells which functions the time went to. */
export async function describeProfile(folder: string, operation: string): Promise<string> {
  const [made] = (await readdir(folder))
    .filter((name) => name.startsWith("CPU."))
    .sort()
    .reverse();
  if (made === undefined) throw new Error("Node kept no profile.");
  const file = join(folder, `${operation}.cpuprofile`);
  await rename(join(folder, made), file);
  // Node's own format.
  const profile = JSON.parse(await readFile(file, "utf8")) as CpuProfile;
  return `${topOf(profile).join("\n")}\n\nThe whole profile: ${file}`;
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
  const place = url.split("/").slice(-3).join("/");
  return place === "" ? functionName : `${functionName || "(anonymous)"}  ${place}:${lineNumber + 1}`;
}
