import { channelHandlers } from "./channels/handlers";
import type { ChatDeps } from "./deps";
import { managerHandlers, memberHandlers } from "./members/handlers";
import { messageHandlers } from "./messages/handlers";
import { userHandlers } from "./users/handlers";

export const chatHandlers = (deps: ChatDeps) => {
  return {
    users: userHandlers(deps),
    channels: {
      ...channelHandlers(deps),
      members: memberHandlers(deps),
      managers: managerHandlers(deps),
    },
    messages: messageHandlers(deps),
  };
};
