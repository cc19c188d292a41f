import { pauseDeliveries, resumeDeliveries } from "../db/delivery-permit";
import { withConnection } from "../db/with-connection";
import { SettingError } from "../errors";
import type { Settings } from "../settings/settings";
import { findDatabase } from "./find-database";

/** `madang-server webhooks pause|resume`. Returns what to print. */
export async function webhooksCommand(settings: Settings, action: string | undefined): Promise<string> {
  if (action !== "pause" && action !== "resume")
    throw new SettingError("An action is required: madang-server webhooks pause or resume.");
  await withConnection(await findDatabase(settings), (client) =>
    client.query(action === "pause" ? pauseDeliveries : resumeDeliveries),
  );
  return action === "pause"
    ? "Webhooks are paused within two seconds. Events are kept, and delivered after madang-server webhooks resume.\n"
    : "Webhooks are resumed within two seconds.\n";
}
