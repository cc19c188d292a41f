import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { blockHandlers } from "./handlers";
import { removeBlocksOfUsers } from "./store";

export const blocks = {
  handlers: (deps: ChatDeps) => ({ users: { blocks: blockHandlers(deps) } }),
  removeUsers: removeBlocksOfUsers,
} satisfies Module;
