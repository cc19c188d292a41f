import type { JobDeps, Module } from "../../chat/module";
import { sweepHits } from "./filter-store";
import { type CheckDeps, filterHandlers, slowModeHandlers } from "./handlers";
import { sweepSlowModeSends } from "./slow-mode-store";

/** `createChecks` is what the chat calls. It is made where the service is put together, as other requests and jobs need it too. */
export const checks = {
  handlers: (deps: CheckDeps) => ({ filters: filterHandlers(deps), channels: slowModeHandlers(deps) }),
  jobs: ({ db }: JobDeps) => [
    { name: "removing old times of slow mode", step: () => sweepSlowModeSends(db) },
    { name: "removing old hits of filters", intervalMs: 3_600_000, step: () => sweepHits(db) },
  ],
} satisfies Module;
