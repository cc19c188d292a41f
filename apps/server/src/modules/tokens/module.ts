import type { Module } from "../../chat/module";
import { ifMore } from "../../jobs/run-jobs";
import { tokenHandlers } from "./handlers";
import { sweepRevocations } from "./store";

export const tokens = {
  handlers: tokenHandlers,
  jobs: ({ db }) => [
    { name: "removing old revocations of tokens", step: () => ifMore(sweepRevocations(db)) },
  ],
} satisfies Module;
