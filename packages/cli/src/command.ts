import { setFlagsFromString } from "node:v8";
import { run } from "./run";
import { exitCodes } from "./terminal/exit-codes";

// On a large machine, Node lets its heap grow to several times of what a long export or import needs. V8 reads these two flags
// whenever it would grow: the young generation keeps its size, and the old one is collected when it has grown by 30 %.
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--heap-growing-percent=30");

const controller = new AbortController();
const { signal } = controller;
process.on("SIGINT", () => {
  // The second Ctrl-C does not wait.
  if (signal.aborted) process.exit(exitCodes.interrupted);
  controller.abort();
});
// The reader has what it wants, as `head` does.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? exitCodes.done : exitCodes.failed);
});
const { env, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr, signal });
