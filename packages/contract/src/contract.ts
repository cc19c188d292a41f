import { channels } from "./channels";
import { exports } from "./exports";
import { extensions } from "./extensions";
import { keys } from "./keys";
import { managers } from "./managers";
import { members } from "./members";
import { c } from "./router";
import { users } from "./users";

/** Every operation of the service. The handlers of the server and the types of the SDK come from here. */
export const contract = c.router(
  { users, channels, members, managers, exports, keys, extensions },
  { pathPrefix: "/v1", strictStatusCodes: true },
);
