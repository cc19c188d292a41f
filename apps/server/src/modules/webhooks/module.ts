import type { JobDeps, Module } from "../../chat/module";
import { sweepAttempts } from "./attempts-store";
import { sweepQueues } from "./delivery/queue-store";
import { type WebhookDeps, webhookHandlers } from "./handlers";

/** `Deliveries` run besides its jobs: they react to each event and each response of a receiver. */
export const webhooks = {
  handlers: (deps: WebhookDeps) => ({ webhooks: webhookHandlers(deps) }),
  jobs: ({ db, days }: JobDeps) => [
    {
      name: "removing old attempts of webhooks",
      step: () => sweepAttempts([db], days.events * 86_400_000),
    },
    { name: "removing old queues of webhooks", step: () => sweepQueues(db) },
  ],
} satisfies Module;
