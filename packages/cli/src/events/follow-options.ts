import type { Command } from "commander";

/** The options of commands that follow events. */
export function addFollowOptions(command: Command): Command {
  return command
    .option("--types <names>", "only these types, separated by commas")
    .option("--channel <channel_id>", "only events of this channel")
    .option("--after <cursor>", "events after this cursor; by default those from now on");
}
