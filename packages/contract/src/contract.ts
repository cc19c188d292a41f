import { audit } from "./operations/admin/audit";
import { keys } from "./operations/admin/keys";
import { usage } from "./operations/admin/usage";
import { channels } from "./operations/channels/channels";
import { exports } from "./operations/data/exports";
import { files } from "./operations/data/files";
import { imports } from "./operations/data/imports";
import { events } from "./operations/events/events";
import { webhooks } from "./operations/events/webhooks";
import { messages } from "./operations/messages/messages";
import { search } from "./operations/messages/search";
import { signals } from "./operations/messages/signals";
import { filters } from "./operations/moderation/filters";
import { hooks } from "./operations/moderation/hooks";
import { reports } from "./operations/moderation/reports";
import { devices } from "./operations/users/devices";
import { inbox } from "./operations/users/inbox";
import { presence } from "./operations/users/presence";
import { privacy } from "./operations/users/privacy";
import { push } from "./operations/users/push";
import { users } from "./operations/users/users";
import { c } from "./router";

/** Every operation of the service. The server's handlers and the SDK are derived from it. */
export const contract = c.router(
  {
    users: { ...users, ...inbox, devices, messages: search.fromUser, searchMessages: search.ofUser },
    channels,
    messages,
    events,
    exports,
    imports,
    keys,
    webhooks,
    filters,
    hooks,
    reports,
    files,
    signals,
    audit,
    privacy,
    usage,
    push,
    presence,
  },
  { pathPrefix: "/v1", strictStatusCodes: true },
);
