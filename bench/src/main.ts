import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readOptions, usage } from "./options";
import { runBenchmark } from "./run";

const results = fileURLToPath(new URL("../results", import.meta.url));
const options = readOptions(process.argv.slice(2), results);
if (options.help) {
  process.stdout.write(usage);
  process.exit();
}
await mkdir(options.output, { recursive: true });

/** All processes and folders of the benchmark. */
const resources = new AsyncDisposableStack();
const interrupted = new Promise<never>((_resolve, reject) => {
  // The terminal and npm may both send the signal.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => reject(new Error(`Interrupted by ${signal}.`)));
  process.on("uncaughtException", reject);
});
try {
  await Promise.race([runBenchmark(options, resources), interrupted]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  await resources.disposeAsync();
}
// Does not wait for the promises of an interrupted run.
process.exit();
