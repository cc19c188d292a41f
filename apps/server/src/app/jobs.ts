import type { Logger } from "pino";
import { sweepEndedSessions } from "../db/ended-sessions";
import type { CredentialLimit } from "../http/rate-limits/credential-limit";
import { type Consumer, type Job, type JobName, type OnJobStep, startJobs } from "../jobs/run-jobs";
import type { Numbering } from "../modules/events/numbering/numbering";
import { Pushes, type PushesDeps } from "../modules/push/delivery/pushes";
import { Deliveries, type DeliveryDeps } from "../modules/webhooks/delivery/deliver";
import { type AllJobDeps, createJobs, modules, removals } from "./modules";

interface BackgroundDeps
  extends DeliveryDeps,
    PushesDeps,
    Pick<AllJobDeps, "db" | "now" | "days" | "storage" | "checks"> {
  readonly numbering: Numbering;
  readonly logger: Logger;
  readonly rateLimit: CredentialLimit | undefined;
  readonly onJobStep: OnJobStep | undefined;
}

/** Everything that runs without a request, apart from deliveries and the numbering of events. */
function listJobs({ db, numbering, now, days, rateLimit, storage, checks }: BackgroundDeps): Job[] {
  const deps: AllJobDeps = { db, now, days, storage, checks, ...removals };
  return [
    // Their steps may emit events.
    ...createJobs(deps).map((job) => ({ ...job, step: () => job.step().finally(numbering.wake) })),
    ...modules.flatMap((module) => module.consumers?.(deps) ?? []).map((each) => follow(numbering, each)),
    { name: "removing old sessions of the console", step: () => sweepEndedSessions(db) },
    ...(rateLimit ? [{ name: "removing old windows of rate limits", step: () => rateLimit.sweep() }] : []),
  ];
}

/** Starts the jobs, and deliveries and pushes, which react to each event and each response of a receiver. */
export function startBackground(deps: BackgroundDeps): { wake(job: JobName): void; stop(): Promise<void> } {
  const jobs = startJobs(listJobs(deps), deps.logger, deps.onJobStep);
  const deliveries = new Deliveries(deps);
  const pushes = new Pushes(deps);
  return {
    wake(job) {
      if (job === "deliveries") deliveries.wake();
      else if (job === "pushes") pushes.wake();
      else jobs.wake(job);
    },
    async stop() {
      await Promise.all([jobs.stop(), deliveries.stop(), pushes.stop()]);
    },
  };
}

/** The job of a consumer, which looks for events only when there may be new ones. */
function follow(numbering: Numbering, { name, consume }: Consumer): Job {
  let reached: number | undefined;
  return {
    name,
    // With the duration of a step, a consumer is at most five seconds late.
    intervalMs: 2_000,
    async step() {
      const position = numbering.lastPosition;
      if (position === reached) return false;
      const outcome = await consume();
      if (outcome === false) reached = position;
      return outcome === true;
    },
  };
}
