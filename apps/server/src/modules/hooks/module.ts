import type { Module } from "../../chat/module";
import { type HookDeps, hookHandlers } from "./handlers";

/** Manages hooks. `modules/checks` calls them. */
export const hooks = {
  handlers: (deps: HookDeps) => ({ hooks: hookHandlers(deps) }),
} satisfies Module;
