import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findData } from "../../db/embedded/installation";
import { findRunning } from "../../db/embedded/running";
import { SettingError } from "../../errors";
import type { Settings } from "../../settings/settings";

/** The URL of the database of a command: `DATABASE_URL`, or the embedded database of a server that runs. */
export async function findDatabase({ DATABASE_URL, MADANG_DATA_DIR }: Settings): Promise<string> {
  if (DATABASE_URL !== undefined) return DATABASE_URL;
  const folder = resolve(join(MADANG_DATA_DIR, "postgres"));
  const password = await readFile(join(folder, "password"), "utf8").catch(() => "");
  const running = await findRunning(findData(folder), password.trim());
  if (running === undefined)
    throw new SettingError(`No server runs on ${folder}. Start it, then run the command again.`);
  return Object.assign(new URL(running), { pathname: "/madang" }).href;
}
