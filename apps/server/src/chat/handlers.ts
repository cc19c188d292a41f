import { channelHandlers } from "./channels/handlers";
import type { ChatDeps } from "./deps";
import { managerHandlers, memberHandlers } from "./members/handlers";
import { messageHandlers } from "./messages/handlers";
import { createNameTurns } from "./names/names";
import { userHandlers } from "./users/handlers";

export const chatHandlers = (deps: ChatDeps) => {
  const nameTurns = createNameTurns();
  return {
    users: userHandlers(deps, nameTurns),
    channels: {
      ...channelHandlers(deps, nameTurns),
      members: memberHandlers(deps),
      managers: managerHandlers(deps),
    },
    messages: messageHandlers(deps),
  };
};
