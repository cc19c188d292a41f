import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { runAsService } from "../turns/client";

/**
 * Work in the background, in small steps, so that no request waits for it. A step looks for work in the database. If the process is
 * killed, this or another process continues at its next interval.
 */
export interface Job {
  readonly name: string;
  /** When a step runs again after one that left nothing to do. Default: a minute. */
  readonly intervalMs?: number;
  /** Returns whether there may be more to do. `waiting`: there is, and it cannot be done yet. */
  readonly step: () => Promise<boolean | "waiting"> | Promise<void>;
}

/** What a step of a round did. `waiting`: it can do nothing yet. */
export type Progress = true | "waiting";

/** The step of a job whose work is a round, such as a visit of all channels. After its end and after an error, another one begins. */
export function inRounds(
  start: () => AsyncGenerator<Progress, undefined>,
): () => Promise<boolean | "waiting"> {
  let round: AsyncGenerator<Progress, undefined> | undefined;
  return async () => {
    const current = round ?? start();
    round = undefined;
    const { value } = await current.next();
    if (value === undefined) return false;
    round = current;
    return value;
  };
}

/** Whether a step of a consumer did anything. `locked`: another process does it. */
export type Consumed = boolean | "locked";

/** Reads the feed of events from its own position, in small steps, soon after new events. */
export interface Consumer {
  readonly name: string;
  readonly consume: () => Promise<Consumed>;
}

/** What requests wake: jobs, whose names are checked where they are defined, the deliveries of webhooks and the pushes. */
export type JobName =
  | "deliveries"
  | "pushes"
  | "ending roles of deleted users"
  | "erasing messages by age"
  | "erasing users"
  | "removing deleted channels"
  | "removing files";

const defaultIntervalMs = 60_000;
/** Between the first steps of two jobs, and so between their intervals: all at once, they would take the connections from requests. */
const spacingMs = 100;
const minPauseMs = 5;
const maxPauseMs = 500;
/** The share of the time in which short steps of a job run. After a long one, the pause has its max. */
const workShare = 0.25;

/** Called after each step of a job: it has done everything, has more to do, or failed. */
export type OnJobStep = (name: string, outcome: "finished" | "more" | "failed") => void;

/** Runs all jobs, each by itself. */
export function startJobs(
  jobs: readonly Job[],
  logger: Pick<Logger, "warn">,
  onStep: OnJobStep = () => undefined,
) {
  const running = new Map(
    jobs.map((job, index) => [job.name, startJob(job, logger, onStep, index * spacingMs)]),
  );
  return {
    /**
     * Starts a job now instead of at the next interval. If it is working, it begins again when nothing is left to do. If it does not
     * run in this process, as the one of files where they are turned off, nothing happens.
     */
    wake(name: string): void {
      running.get(name)?.wake();
    },
    /** Stops after the current steps. */
    async stop(): Promise<void> {
      await Promise.all([...running.values()].map((job) => job.stop()));
    },
  };
}

function startJob(
  { name, step, intervalMs = defaultIntervalMs }: Job,
  logger: Pick<Logger, "warn">,
  onStep: OnJobStep,
  delayMs: number,
) {
  let isStopped = false;
  let isRunning = false;
  let isWoken = false;
  let current = Promise.resolve();

  const wake = () => {
    isWoken = true;
    if (!isRunning && !isStopped) current = runAsService(run);
  };
  const run = async () => {
    isRunning = true;
    // The steps so far may have looked for work before the last wake.
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        await work();
      } catch (error) {
        onStep(name, "failed");
        logger.warn({ err: error }, `${name} was interrupted and continues at the next interval`);
        // What has failed often fails again at once.
        await sleep(maxPauseMs);
      }
    }
    isRunning = false;
  };
  const work = async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      const outcome = await step();
      onStep(name, outcome ? "more" : "finished");
      if (!outcome) return;
      const pauseMs = (performance.now() - startedAt) * (1 / workShare - 1);
      await sleep(outcome === "waiting" ? maxPauseMs : Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs)));
    }
  };

  let timer = setTimeout(() => {
    timer = setInterval(wake, intervalMs);
    wake();
  }, delayMs);
  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
