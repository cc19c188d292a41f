import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** What a step did. `waiting`: there is work that it cannot do yet. */
export type StepOutcome = "idle" | "worked" | "waiting";

/**
 * Work in the background, in small steps, so that no request waits for it. A step looks for work in the database. If the process is
 * killed, this or another process continues at its next interval.
 */
export interface Job<Name extends string = string> {
  readonly name: Name;
  /** When a step runs again after an idle one. Default: a minute. */
  readonly intervalMs?: number;
  readonly step: () => Promise<StepOutcome>;
  /** Called before a step that runs because of `wake`. */
  readonly onWake?: () => void;
}

export interface RunningJobs<Name extends string> {
  /** Starts a step of a job now instead of at the next interval. During a step, another one follows it. */
  wake(name: Name): void;
  /** Stops after the current steps. */
  stop(): Promise<void>;
}

const defaultIntervalMs = 60_000;
const minPauseMs = 5;
const maxPauseMs = 500;
/** The share of the time in which the steps of a job run. The rest of the time of the database is for requests. */
const workShare = 0.25;

/** Runs all jobs, each by itself. */
export function startJobs<Name extends string>(
  jobs: readonly Job<Name>[],
  logger: Pick<Logger, "warn">,
): RunningJobs<Name> {
  const running = new Map(jobs.map((job) => [job.name, startJob(job, logger)]));
  return {
    wake: (name) => running.get(name)?.wake(),
    async stop() {
      await Promise.all([...running.values()].map((job) => job.stop()));
    },
  };
}

function startJob({ name, step, intervalMs = defaultIntervalMs, onWake }: Job, logger: Pick<Logger, "warn">) {
  let isStopped = false;
  let isRunning = false;
  let hasWork = false;
  let current = Promise.resolve();

  const look = () => {
    // The running step may have looked for work before this call.
    hasWork = true;
    if (!isRunning && !isStopped) current = run();
  };
  const run = async () => {
    isRunning = true;
    try {
      while (hasWork && !isStopped) {
        hasWork = false;
        const startedAt = performance.now();
        const outcome = await step();
        if (outcome !== "idle") hasWork = true;
        const pauseMs = (performance.now() - startedAt) * (1 / workShare - 1);
        if (outcome === "worked") await sleep(Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs)));
        if (outcome === "waiting") await sleep(maxPauseMs);
      }
    } catch (error) {
      logger.warn({ err: error }, `${name} was interrupted and continues at the next interval`);
    }
    isRunning = false;
  };

  const timer = setInterval(look, intervalMs);
  look();
  return {
    wake() {
      onWake?.();
      look();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await current;
    },
  };
}
