import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { SettingError } from "./env";

export interface Workers {
  readonly count: number;
  readonly logger: Logger;
  /** What the n-th process, from 0 on, finds in its environment beside what this one has. */
  readonly environmentOf: (index: number) => Record<string, string>;
  /** Told once, when the first of them answers. */
  readonly onListening: (url: string) => void;
  /** Settles when the service is asked to end. */
  readonly asked: Promise<NodeJS.Signals>;
}

/** Longer than a worker takes to finish what runs. */
const patienceMs = 20_000;
const retryMs = 1_000;

/**
 * Runs the same program several times on one port, until asked to end. Nothing is kept in a process that another one
 * needs, so that any of them may answer any request. One that dies is replaced; when none can even start, all end.
 */
export async function superviseWorkers({
  count,
  logger,
  environmentOf,
  onListening,
  asked,
}: Workers): Promise<void> {
  const running = new Set<Worker>();
  const serving = new Set<Worker>();
  let isStopping = false;
  let isKnown = false;
  const failed = new Promise<never>((_resolve, reject) => {
    const startOne = (index: number) => {
      const worker = cluster.fork(environmentOf(index));
      running.add(worker);
      // Sent by `start`, and by nobody else.
      worker.once("message", ({ url }: { url: string }) => {
        if (!isKnown) onListening(url);
        isKnown = true;
        serving.add(worker);
      });
      worker.once("exit", (code, signal) => {
        running.delete(worker);
        if (isStopping) return;
        const hasServed = serving.delete(worker);
        if (!isKnown) return reject(explain(code));
        logger.error({ worker: worker.id, code, signal }, "a worker ended and is replaced");
        // One that cannot start now, because the database is away, is given a while.
        setTimeout(() => isStopping || startOne(index), hasServed ? 0 : retryMs);
      });
    };
    for (let index = 0; index < count; index += 1) startOne(index);
  });

  try {
    logger.info({ signal: await Promise.race([asked, failed]) }, "stopping");
  } finally {
    isStopping = true;
    await Promise.all([...running].map(end));
  }
}

/** It has told the reason itself. */
const explain = (code: number | null) =>
  code === 2
    ? new SettingError("No worker can start with these settings.")
    : new Error("A worker ended before it answered anything.");

async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.process.kill("SIGTERM");
  const kill = setTimeout(() => worker.process.kill("SIGKILL"), patienceMs);
  await ended;
  clearTimeout(kill);
}
