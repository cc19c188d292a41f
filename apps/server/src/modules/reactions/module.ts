import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { reactionsOfUser } from "./erase-store";
import { reactionHandlers } from "./handlers";

export const reactions = {
  handlers: (deps: ChatDeps) => ({ messages: { reactions: reactionHandlers(deps) } }),
  personalRows: [reactionsOfUser],
} satisfies Module;
