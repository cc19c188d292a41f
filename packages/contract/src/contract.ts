import { audit } from "./audit";
import { channels } from "./channels";
import { events } from "./events";
import { exports } from "./exports";
import { files } from "./files";
import { imports } from "./imports";
import { inbox } from "./inbox";
import { keys } from "./keys";
import { messages } from "./messages";
import { privacy } from "./privacy";
import { reports } from "./reports";
import { c } from "./router";
import { search } from "./search";
import { signals } from "./signals";
import { usage } from "./usage";
import { users } from "./users";
import { webhooks } from "./webhooks";

/** Every operation of the service. The server's handlers and the SDK are derived from it. */
export const contract = c.router(
  {
    users: { ...users, ...inbox, messages: search.fromUser, searchMessages: search.ofUser },
    channels,
    messages,
    events,
    exports,
    imports,
    keys,
    webhooks,
    reports,
    files,
    signals,
    audit,
    privacy,
    usage,
  },
  { pathPrefix: "/v1", strictStatusCodes: true },
);
