#!/usr/bin/env node
import { exitCodes } from "./exit-codes";
import { run } from "./run";

const controller = new AbortController();
process.on("SIGINT", () => {
  // The second Ctrl-C does not wait.
  if (controller.signal.aborted) process.exit(exitCodes.interrupted);
  controller.abort();
});
// The reader has what it wants, as `head` does.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? exitCodes.done : exitCodes.failed);
});

const { env, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signal: controller.signal,
});
