import { channels } from "./channels";
import { exports } from "./exports";
import { inbox } from "./inbox";
import { keys } from "./keys";
import { messages } from "./messages";
import { c } from "./router";
import { users } from "./users";

/** Every operation of the service. The server's handlers and the SDK are derived from it. */
export const contract = c.router(
  { users: { ...users, ...inbox }, channels, messages, exports, keys },
  { pathPrefix: "/v1", strictStatusCodes: true },
);
