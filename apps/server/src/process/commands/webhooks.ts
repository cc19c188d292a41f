import { withConnection } from "../../db/connection/with-connection";
import { pauseDeliveries, resumeDeliveries } from "../../modules/webhooks/delivery/permit-store";
import type { Settings } from "../../settings/settings";
import { findDatabase } from "./database";

/** `madang-server webhooks pause|resume`. Returns what to print. */
export async function switchWebhooks(settings: Settings, action: "pause" | "resume"): Promise<string> {
  await withConnection(await findDatabase(settings), (client) =>
    client.query(action === "pause" ? pauseDeliveries : resumeDeliveries),
  );
  return action === "pause"
    ? "Webhooks are paused within two seconds. Events are kept, and delivered after madang-server webhooks resume.\n"
    : "Webhooks are resumed within two seconds.\n";
}
