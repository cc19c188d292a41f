import type { ChatDeps } from "../../chat/deps";
import type { JobDeps, Module } from "../../chat/module";
import { everySchema } from "../../db/db";
import { auditHandlers } from "./handlers";
import { sweepExpiredEntries } from "./store";

export const audit = {
  handlers: (deps: ChatDeps) => ({ audit: auditHandlers(deps) }),
  jobs: ({ db, days }: JobDeps) => [
    {
      name: "removing old audit entries",
      step: () => sweepExpiredEntries(everySchema(db), days.audit * 86_400_000),
    },
  ],
} satisfies Module;
