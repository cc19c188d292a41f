import { measureAudit } from "./measurements/audit";
import { measureCitus } from "./measurements/citus";
import { measureEvents } from "./measurements/events";
import { measureGrowth } from "./measurements/growth";
import { measureHooks } from "./measurements/hooks";
import { measureImports } from "./measurements/imports/imports";
import { measurePresence } from "./measurements/presence";
import { writeProfile } from "./measurements/profile";
import { measureRatios } from "./measurements/ratios";
import { measureSearch } from "./measurements/search/search";
import { measureStreaming } from "./measurements/streaming";
import type { Options } from "./options";
import { type Findings, publish, type Section } from "./results/findings";
import { fullSizes, quickSizes } from "./servers/dataset";
import type { Run, Settings } from "./servers/target";

const parts: Readonly<Record<Section, (run: Run) => Promise<Findings>>> = {
  ratios: measureRatios,
  growth: measureGrowth,
  events: measureEvents,
  audit: measureAudit,
  hooks: measureHooks,
  presence: measurePresence,
  import: measureImports,
  search: measureSearch,
  streaming: measureStreaming,
  citus: measureCitus,
};

const quick: Settings = {
  sizes: quickSizes,
  connections: 16,
  rounds: 9,
  attempts: 2,
  compileMs: 2_500,
  warmUpMs: 150,
  measuredMs: 350,
};
const full: Settings = {
  sizes: fullSizes,
  connections: 16,
  rounds: 15,
  attempts: 3,
  compileMs: 4_000,
  warmUpMs: 200,
  measuredMs: 1_000,
};

export async function runBenchmark(options: Options, resources: AsyncDisposableStack): Promise<void> {
  const chosen = options.quick ? quick : full;
  const messages = options.messages ?? chosen.sizes.messages;
  const connections = options.connections ?? chosen.connections;
  const run = {
    options,
    resources,
    settings: { ...chosen, connections, sizes: { ...chosen.sizes, messages } },
  };
  if (options.profile !== undefined) return writeProfile(run, options.profile);
  const sections = [
    "growth",
    "events",
    "audit",
    "hooks",
    "presence",
    "import",
    "search",
    "streaming",
    "citus",
  ] as const;
  const section = sections.find((name) => options[name]) ?? "ratios";
  await publish(section, await parts[section](run), options);
}
