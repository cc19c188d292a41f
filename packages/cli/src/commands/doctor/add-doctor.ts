import type { Command } from "commander";
import type { Session } from "../../session";
import { CommandError, type ExitCode } from "../../terminal/exit-codes";
import { findConnection } from "../profiles/connection";
import type { Check } from "./checks";
import { examine } from "./examine";

export function addDoctor(program: Command, session: Session): void {
  const { io, options, output } = session;
  program
    .command("doctor")
    .summary("Check the connection to the server")
    .description(
      "Checks whether the server can be reached, its version, the kind of the key, the clock and the latency, and prints what to do about each failure.",
    )
    .action(async () => {
      const connection = await findConnection(io.env, options().profile);
      let exitCode: ExitCode | undefined;
      for await (const { exitCode: failure, ...check } of examine(session, connection)) {
        exitCode ??= failure;
        if (options().json) await output.item({ ...check, ok: failure === undefined });
        else await output.line(format(check, failure !== undefined));
      }
      if (exitCode !== undefined) throw new CommandError("A check failed: see above what to do.", exitCode);
    });

  function format({ check, detail, advice }: Omit<Check, "exitCode">, isFailure: boolean): string {
    const mark = isFailure ? output.styleData("red", "✗") : output.styleData("green", "✓");
    return `${mark} ${check.padEnd(8)}  ${detail}${advice === undefined ? "" : `\n            ${advice}`}`;
  }
}
