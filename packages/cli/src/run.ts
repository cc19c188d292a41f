import { createProgram } from "./program";
import { CommandError, exitCodeOf, exitCodes, InterruptedError } from "./terminal/exit-codes";
import type { Io } from "./terminal/io";
import { describeError } from "./terminal/output/describe-error";

/** Runs the command with these arguments and returns its exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: "user" });
    return exitCodes.done;
  } catch (caught) {
    // Ctrl-C makes everything fail; a long command reports how to continue.
    const error = io.signal.aborted && !(caught instanceof CommandError) ? new InterruptedError() : caught;
    const text = describeError(error);
    if (text !== undefined) io.stderr.write(`${text}\n`);
    return exitCodeOf(error);
  }
}
