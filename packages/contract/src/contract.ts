import { channels } from "./channels";
import { events } from "./events";
import { exports } from "./exports";
import { imports } from "./imports";
import { inbox } from "./inbox";
import { keys } from "./keys";
import { messages } from "./messages";
import { c } from "./router";
import { users } from "./users";
import { webhooks } from "./webhooks";

/** Every operation of the service. The server's handlers and the SDK are derived from it. */
export const contract = c.router(
  { users: { ...users, ...inbox }, channels, messages, events, exports, imports, keys, webhooks },
  { pathPrefix: "/v1", strictStatusCodes: true },
);
