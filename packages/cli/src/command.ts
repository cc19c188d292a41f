import { parentPort, workerData } from "node:worker_threads";
import { exitCodes } from "./exit-codes";
import type { Io } from "./io";
import { run } from "./run";
import { startThread, type Terminals } from "./thread";

const args = process.argv.slice(2);
const controller = new AbortController();
const { signal } = controller;
const { env, stdin } = process;
process.exitCode = await run(args, parentPort === null ? createIo() : createIoOfThread(parentPort));

function createIo(): Io {
  process.on("SIGINT", () => {
    // The second Ctrl-C does not wait.
    if (signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  });
  // The reader has what it wants, as `head` does.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    process.exit(code === "EPIPE" ? exitCodes.done : exitCodes.failed);
  });
  const { stdout, stderr } = process;
  const io = { env, stdin, stdout, stderr, signal };
  const program = new URL(import.meta.url);
  return { ...io, runInThread: (limits) => startThread(program, args, io, limits) };
}

/** What a thread writes goes to the streams of the process, but it does not know whether they are terminals. */
function createIoOfThread(port: NonNullable<typeof parentPort>): Io {
  port.once("message", () => controller.abort()).unref();
  // `startThread` passes them.
  const terminals: Terminals = workerData;
  const stdout = Object.assign(process.stdout, terminals.stdout);
  const stderr = Object.assign(process.stderr, terminals.stderr);
  return { env, stdin, stdout, stderr, signal };
}
