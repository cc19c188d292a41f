import type { Command } from "commander";
import type { Session } from "../../session";
import { write } from "../../terminal/io";
import { toJsonLine } from "../../terminal/output/plain-text";

const maxPageSize = 1_000;

export function addExportPerson(program: Command, session: Session): void {
  program
    .command("export-person")
    .argument("<user_id>", "the id of the user")
    .summary("Export everything stored about a user")
    .description(
      "Prints everything stored about every user that ever had an id, also deleted ones, as lines of JSON: the user, and some of its memberships, messages, reactions, mentions, mutes, bans, reports, files, devices and blocks of others. A user with many of them has several lines. `madang privacy export` prints the messages alone. Requires the master key, or a key with the scope privacy.export.",
    )
    .addHelpText("after", "\nExample:\n  $ madang export-person kim_01 > kim_01.ndjson")
    .action((userId: string) => exportPerson(session, userId));
}

async function exportPerson({ io, connectPatiently }: Session, userId: string): Promise<void> {
  const chat = await connectPatiently();
  const pages = chat.privacy.export(userId, { pageSize: maxPageSize }, { signal: io.signal }).pages();
  for await (const { user, memberships, items, ...page } of pages) {
    const { reactions, mentions, mutes, bans, reports, files, devices, blocks } = page;
    const ofChannels = { memberships, messages: items, reactions, mentions, mutes, bans, reports, files };
    await write(io.stdout, toJsonLine({ user, ...ofChannels, devices, blocks }));
  }
}
