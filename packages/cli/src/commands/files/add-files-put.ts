import type { Command } from "commander";
import type { Session } from "../../session";

interface Options {
  readonly user?: string;
  readonly name?: string;
  readonly type?: string;
}

/** `madang files put`, beside the commands of the operations. */
export function addFilesPut(program: Command, session: Session): void {
  const group = program.commands.find((command) => command.name() === "files");
  group
    ?.command("put")
    .summary("Upload a file for a message of a channel")
    .description(
      "Uploads a file and prints it. A message is then sent with its file_id in --attachments; a file that no message has after a day is deleted.",
    )
    .argument("<channel>", "the id of the channel")
    .argument("<path>", "the file")
    .option("--user <id>", "who will send it; without one, every sender of the channel can")
    .option("--name <name>", "the name that readers see; that of the file by default")
    .option("--type <type>", "the MIME type, such as image/png; application/octet-stream by default")
    .addHelpText("after", "\nExample:\n  $ madang files put lunch_01 menu.png --user kim_01 --type image/png")
    .action(async (channel: string, path: string, { user, name, type }: Options) => {
      const chat = await session.connect();
      const file = await chat.files.upload(channel, path, {
        user_id: user,
        name,
        type,
        signal: session.io.signal,
      });
      await session.output.item(file);
    });
}
