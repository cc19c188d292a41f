import type { JobDeps, Module } from "../../chat/module";
import { interruptMessages } from "./end-store";
import { type StreamingDeps, streamingHandlers } from "./handlers";

export interface StreamingJobDeps extends Pick<JobDeps, "db" | "now">, Pick<StreamingDeps, "checks"> {}

export const streaming = {
  handlers: (deps: StreamingDeps) => ({ messages: streamingHandlers(deps) }),
  jobs: ({ db, now, checks }: StreamingJobDeps) => [
    {
      name: "ending messages without a writer",
      intervalMs: 5_000,
      step: () => interruptMessages(db, checks, now()),
    },
  ],
} satisfies Module;
