import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { usageHandlers } from "./handlers";
import { countUsage } from "./store";

export const usage = {
  handlers: (deps: ChatDeps) => ({ usage: usageHandlers(deps) }),
  consumers: ({ db }) => [{ name: "counting usage", consume: () => countUsage(db) }],
} satisfies Module;
