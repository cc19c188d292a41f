import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root as ownRoot, run } from "./step.mjs";

/** Runs each part, also after a failure, and prints what each took, the slowest files and the number of tests. */
export function reportTests(suites, parts, root = ownRoot) {
  const lines = parts.map(runPart);
  const files = suites.flatMap((suite) => readResults(suite, root));
  const slowest = files.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, 10);
  for (const { tookMs, path } of slowest) lines.push(`  ${(tookMs / 1_000).toFixed(1)} s  ${path}`);
  const failed = files.flatMap(({ failures }) => failures);
  const count = (outcome) => files.reduce((sum, file) => sum + file[outcome], 0);
  lines.push(`${count("passed")} passed, ${count("failed")} failed`, ...failed);
  process.stdout.write(`\n${lines.join("\n")}\n`);
}

function runPart({ name, command: [program, ...args] }) {
  const startedAt = performance.now();
  const status = run(program, args);
  if (status !== 0) process.exitCode = 1;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return `${seconds} s  ${name}${status === 0 ? "" : ": failed"}`;
}

/** A line for each failed test, or for a file that failed as a whole. */
function listFailures(path, { assertionResults, status, message }) {
  const names = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
  if (status === "failed" && names.length === 0) names.push(message.split("\n")[0]);
  return names.map((name) => `  failed: ${path}: ${name}`);
}

/** Vitest's results of one suite in all packages. Those of a package that did not change are Turborepo's. */
function readResults(suite, root) {
  const packages = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  return [...packages, "examples", "bench"]
    .map((folder) => join(root, folder, ".vitest", `${suite}.json`))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, "utf8")).testResults)
    .map(({ name, startTime, endTime, assertionResults, status, message }) => ({
      path: relative(root, name),
      tookMs: endTime - startTime,
      passed: assertionResults.filter(({ status }) => status === "passed").length,
      failed: assertionResults.filter(({ status }) => status === "failed").length,
      failures: listFailures(relative(root, name), { assertionResults, status, message }),
    }));
}
