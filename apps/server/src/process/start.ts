import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { listPendingMigrations, migrate } from "../db/migrate";
import type { Settings } from "../env";
import { SettingError } from "../errors";
import { greet } from "./greet";
import { createLogger } from "./logger";
import { type OpenDatabase, openDatabase } from "./open-database";
import { serve } from "./serve";
import { report, waitForStop } from "./workers/receive";
import { superviseWorkers } from "./workers/supervise";

const repeatedMs = 1_000;

export interface StartOptions {
  readonly isMigrating: boolean;
  /** How many processes answer requests. */
  readonly workers: number;
}

/** Runs the service until a signal: then it accepts no more connections, finishes its requests and closes everything. */
export async function start(settings: Settings, { isMigrating, workers }: StartOptions): Promise<void> {
  const logger = createLogger(settings.LOG_LEVEL);
  let isStopping = false;
  const markStopping = () => {
    isStopping = true;
  };
  const stopped = cluster.isWorker ? waitForStop(markStopping) : waitForSignal();
  // Closed in the reverse order of opening, also when a later one could not be opened.
  const opened: (() => Promise<void>)[] = [];
  try {
    const database = await openDatabase(settings);
    opened.push(database.close);
    if (cluster.isPrimary) await prepareDatabase(database.url, database.isEmbedded || isMigrating);
    const greetOnce = (url: string) => void process.stdout.write(greet(url, database));
    if (cluster.isPrimary && workers > 1) {
      const environmentOf = (index: number) => environmentOfWorker(settings, database, index);
      await superviseWorkers({
        count: workers,
        address: settings,
        logger,
        environmentOf,
        onListening: greetOnce,
        stopped,
        shutdownDelayMs: settings.MADANG_SHUTDOWN_DELAY_MS,
      });
      return;
    }
    const maxConnections = Math.max(1, Math.floor(settings.MADANG_POOL_SIZE / workers));
    const { isWorker } = cluster;
    const service = {
      settings,
      database,
      logger,
      maxConnections,
      isWorker,
      isStopping: () => isStopping,
      opened,
    };
    const { url } = await serve(service);
    if (isWorker) report("ready");
    else greetOnce(url);
    logger.info({ url, signal: await stopped }, "stopping");
    markStopping();
    // A load balancer sees that the server is not ready, and sends no more requests, before the port closes.
    if (!isWorker) await sleep(settings.MADANG_SHUTDOWN_DELAY_MS);
  } finally {
    for (const close of opened.reverse()) await close();
    // The line to the process that started this one would keep it alive.
    if (cluster.isWorker) process.disconnect();
  }
}

/** A worker opens the database as one of its own, the key that was made here included, and shows metrics on a port apart. */
function environmentOfWorker(
  settings: Settings,
  database: OpenDatabase,
  index: number,
): Record<string, string> {
  const metricsPort = settings.MADANG_METRICS_PORT;
  return {
    DATABASE_URL: database.url,
    MADANG_MASTER_KEY: database.masterKey,
    // 0 asks for any free port, and each worker may ask so.
    ...(metricsPort && { MADANG_METRICS_PORT: String(metricsPort + index) }),
  };
}

async function prepareDatabase(url: string, isMigrating: boolean): Promise<void> {
  if (isMigrating) {
    await migrate(url);
    return;
  }
  const pending = await listPendingMigrations(url);
  if (pending.length > 0)
    throw new SettingError(
      `The database at DATABASE_URL lacks ${pending.length} migration(s). Run madang-server migrate, or start with --migrate.`,
    );
}

function waitForSignal(): Promise<NodeJS.Signals> {
  let firstAt: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        resolve(signal);
        firstAt ??= performance.now();
        // A second one means: now. One keystroke may arrive twice, from the terminal and from npm.
        if (performance.now() - firstAt > repeatedMs) process.exit(1);
      });
    }
  });
}
