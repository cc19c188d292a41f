import type { JobDeps, Module } from "../../chat/module";
import { tokenHandlers } from "./handlers";
import { sweepRevocations } from "./store";

export const tokens = {
  handlers: tokenHandlers,
  jobs: ({ db }: JobDeps) => [
    { name: "removing old revocations of tokens", step: () => sweepRevocations(db) },
  ],
} satisfies Module;
