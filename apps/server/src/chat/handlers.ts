import { channelHandlers } from "./channels/handlers";
import type { ChatDeps } from "./deps";
import { endRolesOfDeletedUsers } from "./members/end-roles-store";
import { managerHandlers, memberHandlers } from "./members/handlers";
import { messageHandlers } from "./messages/handlers";
import { userHandlers } from "./users/handlers";

export const chatHandlers = (deps: ChatDeps) => ({
  users: userHandlers(deps),
  channels: {
    ...channelHandlers(deps, { endRolesOfDeletedUsers }),
    members: memberHandlers(deps),
    managers: managerHandlers(deps),
  },
  messages: messageHandlers(deps),
});
