import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

export interface Sweeper {
  /** Starts a step now instead of at the next interval. During a step, another one follows it. */
  wake(): void;
  /** Stops after the current step. */
  stop(): Promise<void>;
}

const defaultIntervalMs = 60_000;

/**
 * Runs a task in the background, in small steps, so that no request waits for it. A step returns whether more work may
 * remain. If the process is killed, this or another process continues at its next interval.
 */
export function startSweeper(
  task: string,
  step: () => Promise<boolean>,
  logger: Pick<Logger, "warn">,
  intervalMs = defaultIntervalMs,
): Sweeper {
  let isStopped = false;
  let isRunning = false;
  let hasWork = false;
  let current = Promise.resolve();

  const wake = () => {
    // The running step may have looked for work before this call.
    hasWork = true;
    if (!isRunning && !isStopped) current = run();
  };
  const run = async () => {
    isRunning = true;
    try {
      while (hasWork && !isStopped) {
        hasWork = false;
        if (await step()) hasWork = true;
      }
    } catch (error) {
      logger.warn({ err: error }, `${task} was interrupted and continues at the next interval`);
    }
    isRunning = false;
  };

  const timer = setInterval(wake, intervalMs);
  wake();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await current;
    },
  };
}

/** What a step of a long task did. `waiting`: there is work that it cannot do yet. */
export type StepOutcome = "idle" | "worked" | "waiting";

const minPauseMs = 5;
const maxPauseMs = 500;
/** The share of the time in which steps run. */
const workShare = 0.25;

/** Adds pauses between the steps, so that a task of minutes leaves most of the time of the database to requests. */
export const inTurns = (step: () => Promise<StepOutcome>) => async (): Promise<boolean> => {
  const startedAt = performance.now();
  const outcome = await step();
  const pauseMs = (performance.now() - startedAt) * (1 / workShare - 1);
  if (outcome === "worked") await sleep(Math.min(maxPauseMs, Math.max(minPauseMs, pauseMs)));
  if (outcome === "waiting") await sleep(maxPauseMs);
  return outcome !== "idle";
};
