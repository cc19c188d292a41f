import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { SettingError } from "../errors/service-error";

export interface Workers {
  readonly count: number;
  readonly logger: Logger;
  /** The additional environment variables of the worker with this index, starting at 0. */
  readonly environmentOf: (index: number) => Record<string, string>;
  /** Called once, when the first worker serves requests. */
  readonly onListening: (port: number) => void;
  /** Resolves when the service must stop, with the signal. */
  readonly stopped: Promise<string>;
  /** How long a worker keeps serving after that. */
  readonly shutdownDelayMs: number;
}

/** Longer than a worker takes to finish its requests. */
const maxStopMs = 20_000;
const retryMs = 1_000;

/**
 * Runs several workers behind one port, which `node:cluster` shares, until the service must stop. Workers share no state in
 * memory, so any of them may serve any request. A worker that exits is replaced. If one of the first ones cannot start, for example
 * because its metrics port is in use, the service stops.
 */
export async function superviseWorkers(workers: Workers): Promise<void> {
  const { count, logger, environmentOf, onListening, stopped, shutdownDelayMs } = workers;
  /** The workers that have served requests, or one before them. */
  const started = new Set<number>();
  let isStopping = false;
  const failed = new Promise<never>((_resolve, reject) => {
    const startOne = (index: number) => {
      const worker = cluster.fork(environmentOf(index));
      let hasServed = false;
      worker.once("listening", ({ port }) => {
        if (started.size === 0) onListening(port);
        started.add(index);
        hasServed = true;
        logger.info({ worker: worker.id, pid: worker.process.pid }, "worker ready");
      });
      worker.once("exit", (code, signal) => {
        if (isStopping) return;
        if (!started.has(index)) return reject(explain(code));
        logger.error({ worker: worker.id, code, signal }, "worker exited, starting another");
        // A worker that could not start, for example because the database is unavailable, is retried after a delay.
        setTimeout(() => isStopping || startOne(index), hasServed ? 0 : retryMs);
      });
    };
    for (let index = 0; index < count; index += 1) startOne(index);
  });

  try {
    logger.info({ signal: await Promise.race([stopped, failed]) }, "stopping");
  } finally {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => stop(worker, shutdownDelayMs + maxStopMs)));
  }
}

/** The worker has printed the reason itself. */
const explain = (code: number | null) =>
  code === 2
    ? new SettingError("No worker can start with these settings.")
    : new Error("A worker exited before it served a request.");

async function stop(worker: Worker, maxMs: number): Promise<void> {
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  worker.send("stop", () => undefined);
  const kill = setTimeout(() => worker.process.kill("SIGKILL"), maxMs);
  await exited;
  clearTimeout(kill);
}
