import type { JobDeps, Module } from "../../chat/module";
import { eraseDetails } from "./erase-store";
import { type EventDeps, eventHandlers } from "./handlers";
import { sweepExpiredEvents } from "./store";

export const events = {
  handlers: (deps: EventDeps) => ({ events: eventHandlers(deps) }),
  jobs: ({ db, days }: JobDeps) => [
    { name: "removing old events", step: () => sweepExpiredEvents(db, days.events * 86_400_000) },
  ],
  eraseRest: [eraseDetails],
} satisfies Module;
