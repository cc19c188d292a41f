import type { EventDeps } from "../events/deps";
import type { Receivers } from "./receivers";

export interface WebhookDeps extends EventDeps {
  /** Sends webhooks to receivers outside the server's own network. */
  readonly receivers: Receivers;
}
