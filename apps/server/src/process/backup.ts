import { join, resolve } from "node:path";
import { backUp } from "../db/embedded/backup/back-up";
import { restore } from "../db/embedded/backup/restore";
import type { Settings } from "../env";
import { SettingError } from "../errors";

/** `madang-server backup FILE`. Returns what to print. */
export async function backUpCommand(settings: Settings, file: string): Promise<string> {
  const bytes = await backUp(folderOf(settings), resolve(file));
  const size = (bytes / 1e6).toFixed(1);
  return `${resolve(file)}: ${size} MB. It does not contain the master key: keep a copy of that elsewhere.\n`;
}

/** `madang-server restore FILE`. Returns what to print. */
export async function restoreCommand(settings: Settings, file: string, now: Date): Promise<string> {
  const { counts, replaced } = await restore(folderOf(settings), resolve(file), now);
  const found = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const kept = replaced === undefined ? "" : `The database that was there is now in ${replaced}.\n`;
  return `Restored and verified: ${found.join(", ")}.\n${kept}Start the server with the master key from the time of the backup.\n`;
}

function folderOf({ DATABASE_URL, MADANG_DATA_DIR }: Settings): string {
  if (DATABASE_URL !== undefined)
    throw new SettingError(
      "DATABASE_URL is set. backup and restore are for the embedded database; for your own PostgreSQL, use pg_dump and pg_restore.",
    );
  return resolve(join(MADANG_DATA_DIR, "postgres"));
}
