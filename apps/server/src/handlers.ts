import { channelExtensionHandlers, channelHandlers } from "./channels/handlers";
import type { Deps } from "./deps";
import { exportHandlers } from "./exports/handlers";
import { keyExtensionHandlers, keyHandlers } from "./keys/handlers";
import { managerExtensionHandlers, managerHandlers } from "./managers/handlers";
import { memberHandlers } from "./members/handlers";
import { messageHandlers } from "./messages/handlers";
import { userExtensionHandlers, userHandlers } from "./users/handlers";

/** What answers each operation of the contract, room by room. */
export const handlers = (deps: Deps) => ({
  users: userHandlers(deps),
  channels: channelHandlers(deps),
  members: memberHandlers(deps),
  managers: managerHandlers(deps),
  exports: exportHandlers(deps),
  keys: keyHandlers(deps),
  extensions: {
    ...channelExtensionHandlers(deps),
    ...messageHandlers(deps),
    ...managerExtensionHandlers(deps),
    ...userExtensionHandlers(deps),
    ...keyExtensionHandlers(deps),
  },
});
