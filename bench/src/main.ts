import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Arguments, readArguments, usage } from "./arguments";
import { drawGrowth } from "./chart";
import { type Contest, loadSide, runOperation, worldOf } from "./contest";
import { measureExtras } from "./extras";
import { grown, measureGrowth } from "./growth";
import { findOperation, operations } from "./operations/all";
import { describeProfile, profileFlags } from "./profile";
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
    else if (options.profile === undefined) await compete(stage, options);
    else await keepProfile(stage, options.profile);
  } finally {
    await stage.close();
  }
}

async function showGrowth(): Promise<void> {
  const sizes = options.isQuick ? [1_000, 10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000];
  const results = await measureGrowth(settings, sizes, options.server);
  tell(
    `${"CPU of Node and PostgreSQL, ms".padEnd(36)}${sizes.map((size) => String(size).padStart(12)).join("")}`,
  );
  for (const id of grown)
    tell(id.padEnd(36) + results.map(({ costMs }) => (costMs[id] ?? 0).toFixed(3).padStart(12)).join(""));
  await writeFile(join(options.output, "growth.json"), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(options.output, "growth.svg"), drawGrowth(results));
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
    tell(`\nMilliseconds. node, pg: CPU a request. Every round: ${join(output, "results.json")}`);
  } finally {
    await sides.ceiling.stop();
    await sides.server.stop();
  }
}

async function showExtras(stage: Stage): Promise<void> {
  const extras = await measureExtras(stage, settings);
  for (const [name, value] of Object.entries(extras))
    tell(`${name.padEnd(36)}${value.toFixed(2).padStart(12)}`);
  await writeFile(join(options.output, "extras.json"), `${JSON.stringify(extras, null, 2)}\n`);
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
