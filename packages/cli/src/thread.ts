import { Worker } from "node:worker_threads";
import { CommandError, exitCodes, ReportedError } from "./exit-codes";
import type { Io, ThreadLimits } from "./io";

/** What a thread cannot find out about the streams of its process. */
export type Terminals = Readonly<Record<"stdout" | "stderr", { isTTY?: boolean; columns?: number }>>;

/**
 * Runs the program with these arguments in a thread, and returns its exit code. Without limits, Node lets the young
 * generation of a heap grow to more than 100 MB on a large machine, and collects the old one late: both fill with pages that
 * were written long ago. Only the limits of a thread can be set by the program itself.
 */
export function startThread(
  program: URL,
  argv: readonly string[],
  io: Io,
  { maxHeapMb, advice }: ThreadLimits,
): Promise<number> {
  const workerData: Terminals = { stdout: terminalOf(io.stdout), stderr: terminalOf(io.stderr) };
  const resourceLimits = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: maxHeapMb };
  const thread = new Worker(program, { argv: [...argv], workerData, resourceLimits });
  io.signal.addEventListener("abort", () => thread.postMessage("abort"), { once: true });
  return new Promise((resolve, reject) =>
    thread.once("exit", resolve).once("error", (error: unknown) => {
      const isFull = Object(error).code === "ERR_WORKER_OUT_OF_MEMORY";
      const text = `The command reached its memory limit of ${maxHeapMb} MB.`;
      reject(isFull ? new CommandError(advice === undefined ? text : `${text} ${advice}`) : error);
    }),
  );
}

// A terminal that does not say its width reports 0.
const terminalOf = ({ isTTY = false, columns = 0 }: Io["stdout"]) => ({ isTTY, columns: columns || 80 });

/** Runs a command that reads or writes a whole history, in a thread where there can be one. */
export async function inThread(
  { runInThread }: Io,
  limits: ThreadLimits,
  work: () => Promise<void>,
): Promise<void> {
  if (runInThread === undefined) return work();
  const exitCode = await runInThread(limits);
  if (exitCode !== exitCodes.done) throw new ReportedError(exitCode);
}
