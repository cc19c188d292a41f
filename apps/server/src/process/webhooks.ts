import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pauseDeliveries, resumeDeliveries } from "../db/delivery-permit";
import { findData } from "../db/embedded/installation";
import { findRunning } from "../db/embedded/running";
import { withConnection } from "../db/with-connection";
import { SettingError } from "../errors";
import type { Settings } from "../settings/settings";

/** `madang-server webhooks pause|resume`. Returns what to print. */
export async function webhooksCommand(settings: Settings, action: string | undefined): Promise<string> {
  if (action !== "pause" && action !== "resume")
    throw new SettingError("Say what to do with the webhooks: pause or resume.");
  const url = settings.DATABASE_URL ?? (await findEmbedded(settings));
  await withConnection(url, (client) =>
    client.query(action === "pause" ? pauseDeliveries : resumeDeliveries),
  );
  return action === "pause"
    ? "Webhooks are paused within two seconds. Events are kept, and delivered after madang-server webhooks resume.\n"
    : "Webhooks are resumed within two seconds.\n";
}

async function findEmbedded({ MADANG_DATA_DIR }: Settings): Promise<string> {
  const folder = resolve(join(MADANG_DATA_DIR, "postgres"));
  const password = await readFile(join(folder, "password"), "utf8").catch(() => "");
  const running = await findRunning(findData(folder), password.trim());
  if (running === undefined)
    throw new SettingError(`No server runs on ${folder}. Start it, then run the command again.`);
  return Object.assign(new URL(running), { pathname: "/madang" }).href;
}
