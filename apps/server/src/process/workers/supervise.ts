import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { SettingError } from "../../errors";
import type { Address } from "../../http/listen/bind";
import type { Command, Report } from "./receive";
import { openSharedPort, type SharedPort } from "./shared-port";

export interface Workers {
  readonly count: number;
  readonly address: Address;
  readonly logger: Logger;
  /** The additional environment variables of the worker with this index, starting at 0. */
  readonly environmentOf: (index: number) => Record<string, string>;
  /** Called once, when the first worker serves requests. */
  readonly onListening: (url: string) => void;
  /** Resolves when the service must stop, with the signal. */
  readonly stopped: Promise<string>;
  /** How long to keep serving after that, with /readyz at 503. */
  readonly shutdownDelayMs: number;
}

/** Longer than a worker takes to finish its requests. */
const maxStopMs = 20_000;
const retryMs = 1_000;

/**
 * Runs several workers behind one port until the service must stop. Workers share no state in memory, so any of them may
 * serve any request. A worker that exits is replaced. If the first ones cannot start, the service stops.
 */
export async function superviseWorkers(workers: Workers): Promise<void> {
  const { count, address, logger, environmentOf, onListening, stopped, shutdownDelayMs } = workers;
  const running = new Set<Worker>();
  const serving = new Set<Worker>();
  let isReady = true;
  let isStopping = false;
  let opening: Promise<SharedPort> | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const startOne = (index: number) => {
      const worker = cluster.fork(environmentOf(index));
      running.add(worker);
      const add = async () => {
        opening ??= openSharedPort(address).then((port) => {
          onListening(port.url);
          return port;
        });
        if (!isReady) command(worker, "unready");
        (await opening).add(worker);
        serving.add(worker);
        logger.info({ worker: worker.id, pid: worker.process.pid }, "worker ready");
      };
      worker.on("message", (report: Report) => report === "ready" && add().catch(reject));
      worker.once("exit", (code, signal) => {
        running.delete(worker);
        if (isStopping) return;
        const hasServed = serving.delete(worker);
        if (opening === undefined) return reject(explain(code));
        logger.error({ worker: worker.id, code, signal }, "worker exited, starting another");
        // A worker that could not start, for example because the database is unavailable, is retried after a delay.
        setTimeout(() => isStopping || startOne(index), hasServed ? 0 : retryMs);
      });
    };
    for (let index = 0; index < count; index += 1) startOne(index);
  });

  try {
    logger.info({ signal: await Promise.race([stopped, failed]) }, "stopping");
    isReady = false;
    for (const worker of running) command(worker, "unready");
    await sleep(shutdownDelayMs);
  } finally {
    isStopping = true;
    // The port first: a client whose connection is closed must not be able to reconnect.
    (await opening?.catch(() => undefined))?.close();
    await Promise.all([...running].map(stop));
  }
}

/** The worker has printed the reason itself. */
const explain = (code: number | null) =>
  code === 2
    ? new SettingError("No worker can start with these settings.")
    : new Error("A worker exited before it served a request.");

function command(worker: Worker, message: Command): void {
  worker.send(message, () => undefined);
}

async function stop(worker: Worker): Promise<void> {
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  command(worker, "stop");
  const kill = setTimeout(() => worker.process.kill("SIGKILL"), maxStopMs);
  await exited;
  clearTimeout(kill);
}
