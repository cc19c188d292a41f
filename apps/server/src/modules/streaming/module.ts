import type { Module } from "../../chat/module";
import { ifMore } from "../../jobs/run-jobs";
import type { StreamingDeps } from "./deps";
import { interruptMessages } from "./end-store";
import { streamingHandlers } from "./handlers";

export const streaming = {
  handlers: (deps: StreamingDeps) => ({ messages: streamingHandlers(deps) }),
  jobs: ({ db, now, numberEvents }) => [
    {
      name: "ending messages without a writer",
      intervalMs: 5_000,
      step: () => ifMore(interruptMessages(db, now())).finally(numberEvents),
    },
  ],
} satisfies Module;
