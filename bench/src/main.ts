import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Arguments, readArguments, usage } from "./arguments";
import { drawGrowth } from "./chart";
import { type Contest, loadSide, runOperation, worldOf } from "./contest";
import { alignedOf, tableOf, writeChart, writeSection } from "./docs";
import { rowsOf as extrasRowsOf, measureExtras } from "./extras";
import { growthSizes, measureGrowth } from "./growth";
import { faultsOf, rowsOf as growthRowsOf, markdownOf } from "./growth-report";
import { measureMemory, rowsOf as memoryRowsOf, pagesAnHour } from "./memory";
import { findOperation, operations } from "./operations/all";
import { measurePeers, rowsOf as peersRowsOf } from "./peers/peers";
import { describeProfile, profileFlags } from "./profile";
import { markdownOf as ratiosMarkdownOf } from "./ratio-report";
import { fileOf, heading, lineOf, lineOfSdk, type Result, type Settings } from "./report";
import { measureSdk } from "./sdk";
import { makeSubKey, type Stage, setStage } from "./stage";
import { fullSizes, quickSizes } from "./world";

const resultsFolder = fileURLToPath(new URL("../results", import.meta.url));

const line = process.argv.slice(2);
if (line.includes("--help")) {
  tell(usage);
  process.exit();
}
const options = readArguments(line, resultsFolder);
const settings: Settings = options.isQuick
  ? { sizes: quickSizes, connections: 16, rounds: 3, warmUpMs: 200, measuredMs: 800 }
  : { sizes: fullSizes, connections: 16, rounds: 7, warmUpMs: 1_000, measuredMs: 4_000 };

await mkdir(options.output, { recursive: true });
if (options.isGrowth) await showGrowth();
else {
  const { users, messages } = settings.sizes;
  tell(`Seeding ${users.toLocaleString("en-US")} users, ${messages.toLocaleString("en-US")} messages.`);
  const stage = await setStage(settings.sizes, options.server);
  try {
    if (options.isExtras) await showExtras(stage);
    else if (options.isMemory) await showMemory(stage);
    else if (options.isPeers) await showPeers(stage);
    else if (options.profile === undefined) await compete(stage, options);
    else await keepProfile(stage, options.profile);
  } finally {
    await stage.close();
  }
}

async function showGrowth(): Promise<void> {
  const sizes = options.isQuick ? growthSizes.slice(0, -1) : growthSizes;
  tell(
    `Seeding ${sizes.map((size) => size.toLocaleString("en-US")).join(", ")} users, and as many messages.`,
  );
  const results = await measureGrowth(settings, sizes, options.server);
  await show("growth", growthRowsOf(results, sizes), faultsOf(results), results);
  const chart = drawGrowth(results, sizes);
  await writeFile(join(options.output, "growth.svg"), chart);
  if (options.isWritingDocs) {
    await writeSection("growth", markdownOf(results, sizes));
    await writeChart("growth.svg", chart);
  }
}

async function showExtras(stage: Stage): Promise<void> {
  const findings = await measureExtras(stage, settings);
  await show("extras", extrasRowsOf(findings), [], findings);
  if (options.isWritingDocs) await writeSection("extras", tableOf(extrasRowsOf(findings)));
}

async function showMemory(stage: Stage): Promise<void> {
  const memory = await measureMemory(stage, options.isQuick ? pagesAnHour / 4 : pagesAnHour);
  await show("memory", memoryRowsOf(memory), memory.fault === undefined ? [] : [memory.fault], memory);
  if (options.isWritingDocs) await writeSection("memory", tableOf(memoryRowsOf(memory)));
}

async function showPeers(stage: Stage): Promise<void> {
  const compared = await measurePeers(stage, settings, resultsFolder);
  const faults = compared.flatMap(({ title, refusal }) =>
    refusal === undefined ? [] : `${title}: ${refusal}.`,
  );
  await show("peers", peersRowsOf(compared), faults, compared);
  if (options.isWritingDocs) await writeSection("peers", tableOf(peersRowsOf(compared)));
}

/** A table for the terminal, what is wrong with it, and a file of everything that was measured. */
async function show(name: string, rows: string[][], faults: readonly string[], all: unknown): Promise<void> {
  tell(alignedOf(rows));
  for (const fault of faults) tell(fault);
  await writeFile(join(options.output, `${name}.json`), `${JSON.stringify(all, null, 2)}\n`);
}

async function compete(stage: Stage, { only, output }: Arguments): Promise<void> {
  const sides = { server: await stage.startServer(), ceiling: await stage.startCeiling() };
  try {
    const contest: Contest = { stage, sides, settings, key: await makeSubKey(sides.server.url) };
    const chosen = operations.filter(
      ({ id }) => only.length === 0 || only.some((start) => id.startsWith(start)),
    );
    const results: Result[] = [];
    tell(heading);
    for (const operation of chosen) {
      const result = await runOperation(contest, operation);
      results.push(result);
      tell(lineOf(result));
    }
    const sdk = await measureSdk(sides.server.url, contest.key, {
      rounds: settings.rounds,
      pages: options.isQuick ? 60 : 100,
    });
    for (const ratio of sdk) tell(lineOfSdk(ratio));
    const machine = { processors: cpus().length, node: process.version, postgres: stage.postgresVersion };
    await writeFile(join(output, "results.json"), fileOf(results, settings, machine, sdk));
    if (options.isWritingDocs) await writeSection("ratios", ratiosMarkdownOf(results, sdk));
    tell(`\nMilliseconds. node, pg: CPU a request. Every round: ${join(output, "results.json")}`);
  } finally {
    await sides.ceiling.stop();
    await sides.server.stop();
  }
}

async function keepProfile(stage: Stage, id: string): Promise<void> {
  const operation = findOperation(id);
  const server = await stage.startServer(profileFlags(options.output));
  const longer = { ...settings, warmUpMs: 500, measuredMs: 6_000 };
  try {
    const key = await makeSubKey(server.url);
    const contest: Contest = { stage, sides: { server, ceiling: server }, settings: longer, key };
    await operation.prepare?.(worldOf(contest));
    await loadSide(contest, operation, "server", { server: 0, ceiling: 0 });
  } finally {
    await server.stop();
  }
  tell(await describeProfile(options.output, id));
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
