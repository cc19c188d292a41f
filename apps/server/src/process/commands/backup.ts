import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { backUp } from "../../db/embedded/back-up";
import { restore } from "../../db/embedded/restore";
import { SettingError } from "../../errors/service-error";
import { pauseDeliveries } from "../../modules/webhooks/delivery/permit-store";
import type { Settings } from "../../settings/settings";
import { masterKeyFileIn, postgresFolderOf } from "../open-database";

/** `madang-server backup FILE`. Returns what to print. */
export async function backUpCommand(settings: Settings, file: string): Promise<string> {
  const bytes = await backUp(folderOf(settings), resolve(file));
  const size = (bytes / 1e6).toFixed(1);
  return `${resolve(file)}: ${size} MB. It does not contain the master key: keep a copy of that elsewhere.\n`;
}

/** `madang-server restore FILE`. Returns what to print. */
export async function restoreCommand(settings: Settings, file: string, now: Date): Promise<string> {
  if (!existsSync(file)) throw new SettingError(`There is no file ${resolve(file)}.`);
  const { counts, replaced } = await restore(folderOf(settings), resolve(file), now, async (client) => {
    // Its webhooks are those of the database that was backed up. Until an operator confirms them, nothing is delivered.
    const { rows } = await client.query("SELECT to_regclass('delivery_permits') AS found");
    if (rows[0]?.found !== null) await client.query(pauseDeliveries);
  });
  const found = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const kept = replaced === undefined ? "" : `The database that was there is now in ${replaced}.\n`;
  const keyFile = masterKeyFileIn(resolve(settings.MADANG_DATA_DIR));
  const key = `Before you start the server, copy the master key from the time of the backup to ${keyFile}, or set MADANG_MASTER_KEY.\n`;
  return `Restored and verified: ${found.join(", ")}.\n${kept}${key}Webhooks are paused. When this is the database that applications use: madang-server webhooks resume\n`;
}

function folderOf(settings: Settings): string {
  if (settings.DATABASE_URL !== undefined)
    throw new SettingError(
      "DATABASE_URL is set. backup and restore are for the embedded database; for your own PostgreSQL, use pg_dump and pg_restore.",
    );
  return postgresFolderOf(settings);
}
