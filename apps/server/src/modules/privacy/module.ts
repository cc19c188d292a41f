import type { ChatDeps } from "../../chat/deps";
import type { JobDeps, Module } from "../../chat/module";
import type { JobName } from "../../jobs/run-jobs";
import { createEraser } from "./erase-store";
import { privacyHandlers } from "./handlers";

export const privacy = {
  handlers: (deps: ChatDeps) => ({ privacy: privacyHandlers(deps) }),
  jobs: (deps: JobDeps) => [
    {
      name: "erasing users" satisfies JobName,
      // How soon an erasure continues after a step has failed, and how often it looks whether a hold has ended.
      intervalMs: 120_000,
      step: createEraser(deps),
    },
  ],
} satisfies Module;
