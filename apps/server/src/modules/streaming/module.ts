import type { JobDeps, Module } from "../../chat/module";
import { interruptMessages } from "./end-store";
import { type StreamingDeps, streamingHandlers } from "./handlers";

export const streaming = {
  handlers: (deps: StreamingDeps) => ({ messages: streamingHandlers(deps) }),
  jobs: ({ db, now }: JobDeps) => [
    {
      name: "ending messages without a writer",
      intervalMs: 5_000,
      step: () => interruptMessages(db, now()),
    },
  ],
} satisfies Module;
