import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { checkSessions } from "../db/connection/check-sessions";
import { migrate } from "../db/migrations/migrate";
import { readMigrationStatus } from "../db/migrations/migrations";
import { SettingError } from "../errors/service-error";
import { urlOf } from "../http/listen/bind";
import { adoptRestoredEvents } from "../modules/events/numbering/adopt-store";
import { filesSettingOf, isConsoleOn, type Settings } from "../settings/settings";
import { closeAll } from "./close-all";
import { greet } from "./greet";
import { createLogger, LogOutput } from "./logger";
import { type OpenDatabase, openDatabase } from "./open-database";
import { serve } from "./serve";
import { superviseWorkers } from "./supervise-workers";

/** A terminal that closes sends the last one. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const duplicateSignalMs = 1_000;

interface StartOptions {
  readonly isMigrating: boolean;
  /** How many processes serve requests. */
  readonly workers: number;
}

/** Runs the service until a signal. Then it accepts no more connections, finishes its requests and closes everything. */
export async function start(settings: Settings, { isMigrating, workers }: StartOptions): Promise<void> {
  if (settings.MADANG_POOL_SIZE < workers)
    throw new SettingError(
      `MADANG_POOL_SIZE must be at least ${workers} with --workers ${workers}: each worker needs a connection.`,
    );
  const output = new LogOutput();
  const logger = createLogger(settings.LOG_LEVEL, output);
  let isStopping = false;
  const mustStop = cluster.isWorker ? waitForPrimary() : waitForSignal();
  // Closed in reverse order, also when a later step fails.
  const opened: (() => Promise<void>)[] = [];
  let hasStopped = false;
  try {
    const database = await openDatabase(settings);
    opened.push(database.close);
    const stopped = Promise.race([mustStop, database.failed ?? mustStop]);
    // Prevents an unhandled rejection before it is awaited.
    stopped.catch(() => undefined);
    if (cluster.isPrimary) await prepareDatabase(database, settings, isMigrating, logger);
    const greetOnce = (url: string) => {
      if (process.stdout.isTTY) process.stdout.write(greet(url, database, isConsoleOn(settings)));
      // Independent of LOG_LEVEL: a successful start always writes one line.
      else createLogger("info").info({ url }, "listening");
    };
    if (cluster.isPrimary && workers > 1) {
      await superviseWorkers({
        count: workers,
        logger,
        environmentOf: (index) => environmentOfWorker(settings, database, index),
        onListening: (port) => greetOnce(urlOf(settings.HOST, port)),
        stopped,
        shutdownDelayMs: settings.MADANG_SHUTDOWN_DELAY_MS,
      });
      return;
    }
    const { url } = await serve({
      settings,
      database,
      logger,
      maxConnections: Math.floor(settings.MADANG_POOL_SIZE / workers),
      countDroppedLines: () => output.droppedLines,
      isStopping: () => isStopping,
      opened,
    });
    if (cluster.isPrimary) greetOnce(url);
    logger.info({ url, signal: await stopped }, "stopping");
    isStopping = true;
    // A load balancer notices /readyz and stops sending requests before the port closes.
    await sleep(settings.MADANG_SHUTDOWN_DELAY_MS);
    hasStopped = true;
  } finally {
    await closeAll(opened);
    // The channel to the parent process would keep this one alive. After an error, the command ends it.
    if (hasStopped && cluster.isWorker) process.disconnect();
  }
}

/** A worker gets the database and the master key through its environment, and serves its metrics on its own port. */
function environmentOfWorker(
  settings: Settings,
  database: OpenDatabase,
  index: number,
): Record<string, string> {
  const metricsPort = settings.MADANG_METRICS_PORT;
  return {
    DATABASE_URL: database.url,
    DATABASE_URL_FILE: "",
    MADANG_MASTER_KEY: database.masterKey,
    MADANG_MASTER_KEY_FILE: "",
    MADANG_FILES: filesSettingOf(settings),
    MADANG_CONSOLE: isConsoleOn(settings) ? "on" : "off",
    // With 0, each worker gets any free port.
    ...(metricsPort && { MADANG_METRICS_PORT: String(metricsPort + index) }),
  };
}

async function prepareDatabase(
  { url, isEmbedded }: OpenDatabase,
  { MADANG_STATEMENT_TIMEOUT_MS }: Settings,
  isMigrating: boolean,
  logger: Logger,
): Promise<void> {
  if (isEmbedded || isMigrating) await migrate(url, { onProgress: (line) => logger.info(line) });
  else await requireMigrations(url);
  await checkSessions({ url, statementTimeoutMs: MADANG_STATEMENT_TIMEOUT_MS });
  await adoptRestoredEvents(url);
}

async function requireMigrations(url: string): Promise<void> {
  const { pending } = await readMigrationStatus(url);
  if (pending.length > 0)
    throw new SettingError(
      `The database at DATABASE_URL lacks ${pending.length} migration(s). Run madang-server migrate, or start with --migrate.`,
    );
}

/** The primary process handles the signals, and says when its workers must stop. */
function waitForPrimary(): Promise<"stop"> {
  for (const signal of endingSignals) process.on(signal, () => undefined);
  return new Promise((resolve) => process.once("message", () => resolve("stop")));
}

function waitForSignal(): Promise<NodeJS.Signals> {
  let firstAt: number | undefined;
  return new Promise((resolve) => {
    for (const signal of endingSignals) {
      process.on(signal, () => {
        resolve(signal);
        firstAt ??= performance.now();
        // A second signal forces the exit. One Ctrl-C may arrive twice, from the terminal and from npm.
        if (performance.now() - firstAt > duplicateSignalMs) process.exit(1);
      });
    }
  });
}
