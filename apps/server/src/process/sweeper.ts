import type { Logger } from "pino";

export interface Sweeper {
  /** Looks for work now. */
  wake(): void;
  /** Ends after the step that is under way. */
  stop(): Promise<void>;
}

const intervalMs = 60_000;

/**
 * Does a chore in the background, a small step at a time, so that nobody waits for it. A step answers whether there
 * may be more to do. A process that is killed leaves the rest to the next look, its own or another's.
 */
export function startSweeper(chore: string, step: () => Promise<boolean>, logger: Logger): Sweeper {
  let isStopped = false;
  let isAwake = false;
  let current = Promise.resolve();

  const wake = () => {
    if (isAwake || isStopped) return;
    isAwake = true;
    current = run().finally(() => {
      isAwake = false;
    });
  };
  const run = async () => {
    try {
      while (!isStopped && (await step()));
    } catch (error) {
      logger.warn({ err: error }, `${chore} was interrupted; it goes on later`);
    }
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
