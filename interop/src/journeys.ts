import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startProxy } from "./prism.ts";
import { startRelay } from "./relay.ts";
import type { Result } from "./result.ts";

const server = fileURLToPath(new URL("../../apps/server/", import.meta.url));

/** Runs the journeys of the server's tests with each call of the SDK going through Prism. */
export async function checkJourneys(): Promise<Result> {
  const relay = await startRelay();
  const proxy = await startProxy(relay.url);
  try {
    const failures = await runJourneys(proxy.url);
    return { tool: "@stoplight/prism-cli", operations: relay.succeeded.size, violations: failures };
  } finally {
    await proxy.stop();
    await relay.close();
  }
}

/** Returns the output of failed journeys. A violation makes a journey fail. */
function runJourneys(proxy: string): Promise<string[]> {
  const journeys = readdirSync(`${server}test/journeys`).filter((name) => name.endsWith(".test.ts"));
  const files = journeys.map((name) => `test/journeys/${name}`);
  const args = ["run", "--project=short", ...files, "--test-timeout=600000", "--reporter=tap-flat"];
  const vitest = spawn(`${server}node_modules/.bin/vitest`, args, {
    cwd: server,
    env: { ...process.env, MADANG_VALIDATING_PROXY: proxy, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [vitest.stdout, vitest.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return new Promise((resolve) => {
    vitest.once("close", (code) => resolve(code === 0 ? [] : listFailures(output)));
  });
}

/** The failed tests with their errors, from the TAP output of vitest; or the whole output. */
function listFailures(output: string): string[] {
  const failures = output.split(/^(?=(?:not )?ok )/m).filter((part) => part.startsWith("not ok"));
  return failures.length > 0 ? failures.map((failure) => failure.trim()) : [output];
}
