import { sweepEndedSessions } from "../db/ended-sessions";
import type { CredentialLimit } from "../http/rate-limits/credential-limit";
import { sweepExpiredEntries } from "../resources/audit/store";
import { sweepDeletedChannels } from "../resources/channels/delete-store";
import type { WokenJob } from "../resources/deps";
import type { Consumed } from "../resources/events/consumers-store";
import type { Numbering } from "../resources/events/numbering";
import { sweepExpiredEvents } from "../resources/events/store";
import { createEraser } from "../resources/privacy/erase-store";
import { sweepDueMessages } from "../resources/retention/sweep-store";
import { createIndexer } from "../resources/search/indexer";
import { countUsage } from "../resources/usage/store";
import { sweepDeletedUsers } from "../resources/users/delete-store";
import { sweepAttempts } from "../resources/webhooks/attempts-store";
import { Deliveries, type DeliveryDeps } from "../resources/webhooks/deliver";
import { sweepQueues } from "../resources/webhooks/queue-store";
import type { Settings } from "../settings/settings";
import { sweepExpiredKeys } from "../write/keys-store";
import { type Job, type StepOutcome, startJobs } from "./run-jobs";

export interface JobDeps extends DeliveryDeps {
  readonly numbering: Numbering;
  readonly settings: Pick<Settings, "MADANG_EVENTS_DAYS" | "MADANG_AUDIT_DAYS" | "MADANG_RETENTION_DAYS">;
  readonly rateLimit: CredentialLimit | undefined;
}

const dayMs = 86_400_000;

type JobName =
  | Exclude<WokenJob, "deliveries">
  | "counting usage"
  | "indexing messages for the search"
  | `removing old ${string}`;

/** Everything that runs without a request, apart from deliveries. */
function listJobs({ db, numbering, now, settings, rateLimit }: JobDeps): Job<JobName>[] {
  const eventsMs = settings.MADANG_EVENTS_DAYS * dayMs;
  const dueMessages = sweepDueMessages(db, settings.MADANG_RETENTION_DAYS);
  const eraseSome = createEraser(db, now);
  return [
    { name: "removing deleted channels", step: () => ifMore(sweepDeletedChannels(db)) },
    {
      name: "ending roles of deleted users",
      step: () => ifMore(sweepDeletedUsers(db)).finally(numbering.wake),
    },
    {
      name: "erasing messages by age",
      // With the duration of a round, which visits every channel, expired messages are erased within five minutes.
      intervalMs: 240_000,
      step: () => ifMore(dueMessages.step()).finally(numbering.wake),
      onWake: dueMessages.restart,
    },
    {
      name: "erasing users",
      // How soon an erasure continues after a step has failed, and how often it looks whether a hold has ended.
      intervalMs: 120_000,
      step: () => eraseSome().finally(numbering.wake),
    },
    // With the duration of a step, counts are at most five seconds old.
    { name: "counting usage", intervalMs: 2_000, step: following(numbering, () => countUsage(db)) },
    // May be late, because searches read messages directly until they are indexed.
    {
      name: "indexing messages for the search",
      intervalMs: 2_000,
      step: following(numbering, createIndexer(db)),
    },
    { name: "removing old idempotency keys", step: () => ifMore(sweepExpiredKeys(db)) },
    { name: "removing old sessions of the console", step: () => ifMore(sweepEndedSessions(db, now())) },
    { name: "removing old events", step: () => ifMore(sweepExpiredEvents(db, eventsMs)) },
    {
      name: "removing old audit entries",
      step: () => ifMore(sweepExpiredEntries(db, settings.MADANG_AUDIT_DAYS * dayMs)),
    },
    { name: "removing old attempts of webhooks", step: () => ifMore(sweepAttempts(db, eventsMs)) },
    { name: "removing old queues of webhooks", step: () => ifMore(sweepQueues(db)) },
    ...(rateLimit
      ? [{ name: "removing old windows of rate limits" as const, step: () => ifMore(rateLimit.sweep()) }]
      : []),
  ];
}

/** Starts the jobs, and deliveries, which react to each event and each response of a receiver. */
export function startBackground(deps: JobDeps): { wake(job: WokenJob): void; stop(): Promise<void> } {
  const jobs = startJobs(listJobs(deps), deps.logger);
  const deliveries = new Deliveries(deps);
  return {
    wake: (job) => (job === "deliveries" ? deliveries.wake() : jobs.wake(job)),
    async stop() {
      await Promise.all([jobs.stop(), deliveries.stop()]);
    },
  };
}

const ifMore = async (isMore: Promise<boolean>): Promise<StepOutcome> => ((await isMore) ? "worked" : "idle");

/** The step of a consumer, which looks for events only when there may be new ones. */
function following(numbering: Numbering, consume: () => Promise<Consumed>): () => Promise<StepOutcome> {
  let reached: number | undefined;
  return async () => {
    const position = numbering.lastPosition;
    if (position === reached) return "idle";
    const outcome = await consume();
    if (outcome === "idle") reached = position;
    return outcome === "worked" ? "worked" : "idle";
  };
}
