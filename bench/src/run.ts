import { measureCapacity } from "./capacity";
import { measureCitus } from "./citus";
import type { Settings } from "./compare";
import { fullSizes, quickSizes } from "./dataset";
import { measureEvents } from "./events";
import { measureExtras } from "./extras";
import { type Findings, publish, type Section } from "./findings";
import { measureGrowth } from "./growth";
import { measureImports } from "./imports";
import { measureKeys } from "./keys";
import { measureMemory } from "./memory";
import type { Options } from "./options";
import { writeProfile } from "./profile";
import { measureRatios } from "./ratios";
import { measureReplica } from "./replica";
import { measureSizes } from "./sizes";

/** The input of a part of the benchmark. */
export interface Run {
  readonly options: Options;
  readonly settings: Settings;
  /** Everything that the run starts is disposed with these. */
  readonly resources: AsyncDisposableStack;
}

const parts: Readonly<Record<Section, (run: Run) => Promise<Findings>>> = {
  ratios: measureRatios,
  growth: measureGrowth,
  extras: measureExtras,
  keys: measureKeys,
  memory: measureMemory,
  events: measureEvents,
  import: measureImports,
  replica: measureReplica,
  capacity: measureCapacity,
  citus: measureCitus,
  sizes: measureSizes,
};

const connections = 16;
const quick: Settings = {
  sizes: quickSizes,
  connections,
  rounds: 9,
  attempts: 2,
  compileMs: 2_500,
  warmUpMs: 150,
  measuredMs: 350,
};
const full: Settings = {
  sizes: fullSizes,
  connections,
  rounds: 15,
  attempts: 3,
  compileMs: 4_000,
  warmUpMs: 200,
  measuredMs: 1_000,
};

export async function runBenchmark(options: Options, resources: AsyncDisposableStack): Promise<void> {
  const chosen = options.quick ? quick : full;
  const messages = options.messages ?? chosen.sizes.messages;
  const run = { options, resources, settings: { ...chosen, sizes: { ...chosen.sizes, messages } } };
  if (options.profile !== undefined) return writeProfile(run, options.profile);
  const sections = [
    "growth",
    "extras",
    "keys",
    "memory",
    "events",
    "import",
    "replica",
    "capacity",
    "citus",
    "sizes",
  ] as const;
  const section = sections.find((name) => options[name]) ?? "ratios";
  await publish(section, await parts[section](run), options);
}
