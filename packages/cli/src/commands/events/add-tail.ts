import { isChatError } from "@madang/client";
import type { Command } from "commander";
import type { Session } from "../../session";
import { exitCodeOf, exitCodes } from "../../terminal/exit-codes";
import { write } from "../../terminal/io";
import { toArgument, toJsonLine } from "../../terminal/output/plain-text";
import { addFollowOptions, type FollowOptions, followEvents } from "./follow-events";

export function addTail(program: Command, session: Session): void {
  const { io, output } = session;
  const command = program
    .command("tail")
    .summary("Print events as they happen")
    .description(
      "Prints events as lines of JSON, from now on or after a cursor, until Ctrl-C, and continues after a restart of the server. At the end it prints how to continue with the next event.",
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ madang tail --types message.created,message.updated --channel room_1",
    );
  addFollowOptions(command).action(async (options: FollowOptions) => {
    let last = options.after;
    try {
      for await (const { event, cursor } of followEvents(session, options)) {
        if (event !== undefined) await write(io.stdout, toJsonLine(event));
        last = cursor;
      }
    } catch (error) {
      if (last !== undefined && !isRejected(error))
        output.note(`To continue: madang tail ${formatOptions({ ...options, after: last })}`);
      throw error;
    }
  });
}

/** Whether the server would reject the same options again. */
function isRejected(error: unknown): boolean {
  return exitCodeOf(error) === exitCodes.usage || (isChatError(error) && error.code === "events_expired");
}

function formatOptions(options: FollowOptions): string {
  return (["after", "types", "channel"] as const)
    .flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [`--${name} ${toArgument(value)}`];
    })
    .join(" ");
}
