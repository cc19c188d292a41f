import type { ChatDeps } from "../../chat/deps";
import { reactionHandlers } from "./handlers";

export const reactions = {
  handlers: (deps: ChatDeps) => ({ messages: { reactions: reactionHandlers(deps) } }),
};
