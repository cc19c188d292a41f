import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { retentionHandlers } from "./handlers";
import { sweepDueMessages } from "./sweep-store";

export const retention = {
  handlers: (deps: ChatDeps) => ({ channels: retentionHandlers(deps) }),
  jobs: ({ db, days }) => {
    const dueMessages = sweepDueMessages(db, days.messages);
    return [
      {
        name: "erasing messages by age",
        // With the duration of a round, which visits every channel, expired messages are erased within five minutes.
        intervalMs: 240_000,
        step: dueMessages.step,
        onWake: dueMessages.restart,
      },
    ];
  },
} satisfies Module;
