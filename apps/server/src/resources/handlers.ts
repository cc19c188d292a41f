import { auditHandlers } from "./audit/handlers";
import { channelHandlers } from "./channels/handlers";
import type { Deps } from "./deps";
import { eventHandlers } from "./events/handlers";
import { exportHandlers } from "./exports/handlers";
import { importHandlers } from "./imports/handlers";
import { keyHandlers } from "./keys/handlers";
import { messageHandlers } from "./messages/handlers";
import { privacyHandlers } from "./privacy/handlers";
import { reportHandlers } from "./reports/handlers";
import { searchHandlers } from "./search/handlers";
import { usageHandlers } from "./usage/handlers";
import { userHandlers } from "./users/handlers";
import { webhookHandlers } from "./webhooks/handlers";

/** The handlers of every operation, in the shape of the contract. */
export const handlers = (deps: Deps) => {
  // One, so that its limit holds for the searches of all operations.
  const searches = searchHandlers(deps);
  return {
    users: userHandlers(deps, searches),
    channels: channelHandlers(deps),
    messages: messageHandlers(deps, searches),
    events: eventHandlers(deps),
    exports: exportHandlers(deps),
    imports: importHandlers(deps),
    keys: keyHandlers(deps),
    webhooks: webhookHandlers(deps),
    reports: reportHandlers(deps),
    audit: auditHandlers(deps),
    privacy: privacyHandlers(deps),
    usage: usageHandlers(deps),
  };
};
