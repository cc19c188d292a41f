import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { SettingError } from "../../errors";
import type { Address } from "../../http/listen/bind";
import { type Door, openDoor } from "./door";
import type { WordToPrimary, WordToWorker } from "./words";

export interface Workers {
  readonly count: number;
  readonly settings: Address;
  readonly logger: Logger;
  /** What the n-th process, from 0 on, finds in its environment beside what this one has. */
  readonly environmentOf: (index: number) => Record<string, string>;
  /** Told once, when the first of them answers. */
  readonly onListening: (url: string) => void;
  /** Settles when the service is asked to end. */
  readonly asked: Promise<string>;
}

/** Longer than a worker takes to finish what runs. */
const patienceMs = 20_000;
const retryMs = 1_000;

/**
 * Runs the same program several times behind one port, until asked to end. Nothing is kept in a process that another one
 * needs, so that any of them may answer any request. One that dies is replaced; when none can even start, all end.
 */
export async function superviseWorkers({
  count,
  settings,
  logger,
  environmentOf,
  onListening,
  asked,
}: Workers): Promise<void> {
  const running = new Set<Worker>();
  const serving = new Set<Worker>();
  let isStopping = false;
  let opening: Promise<Door> | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const startOne = (index: number) => {
      const worker = cluster.fork(environmentOf(index));
      running.add(worker);
      const admit = async () => {
        opening ??= openDoor(settings).then((door) => {
          onListening(door.url);
          return door;
        });
        (await opening).admit(worker);
        serving.add(worker);
        logger.info({ worker: worker.id, pid: worker.process.pid }, "a worker answers");
      };
      worker.on("message", (word: WordToPrimary) => word === "ready" && admit().catch(reject));
      worker.once("exit", (code, signal) => {
        running.delete(worker);
        if (isStopping) return;
        const hasServed = serving.delete(worker);
        if (opening === undefined) return reject(explain(code));
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
    // First the port, then the word to end: a caller that is told to close its connection must find no open one behind it.
    (await opening?.catch(() => undefined))?.shut();
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
  const word: WordToWorker = "end";
  worker.send(word, () => undefined);
  const kill = setTimeout(() => worker.process.kill("SIGKILL"), patienceMs);
  await ended;
  clearTimeout(kill);
}
