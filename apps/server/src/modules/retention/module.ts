import type { ChatDeps } from "../../chat/deps";
import type { JobDeps, Module } from "../../chat/module";
import type { JobName } from "../../jobs/run-jobs";
import { retentionHandlers } from "./handlers";
import { createSweeper } from "./sweep-store";

export const retention = {
  handlers: (deps: ChatDeps) => ({ channels: retentionHandlers(deps) }),
  jobs: ({ db, days }: JobDeps) => [
    {
      name: "erasing messages by age" satisfies JobName,
      // With the duration of a round, which visits every channel, expired messages are erased within five minutes, or later if a round
      // takes longer. A change of the retention during a round leads to another one.
      intervalMs: 240_000,
      step: createSweeper(db, days.messages),
    },
  ],
} satisfies Module;
