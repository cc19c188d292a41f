import { randomBytes, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { createApp } from "../app";
import type { Db } from "../db/db";
import { createDeliveryPermit } from "../db/delivery-permit";
import { receiveNotifications } from "../db/notifications";
import type { PageSource } from "../db/replica/page-source";
import { requireSecret } from "../db/secrets";
import type { OnStatement } from "../db/time-statement";
import type { Timeouts } from "../http/listen/http-server";
import { listen, type RunningServer } from "../http/listen/listen";
import { createAuthFailureLimit } from "../http/rate-limits/auth-failure-limit";
import { createCredentialLimit } from "../http/rate-limits/credential-limit";
import { logInvalidResponses } from "../http/validate-responses";
import { createCursors } from "../paging/cursor";
import { ListenerLimit } from "../resources/events/listener-limit";
import { LiveFeed } from "../resources/events/live-feed";
import { measureQueue, notificationChannel } from "../resources/events/number-store";
import { Numbering } from "../resources/events/numbering";
import { listStoredKeys, recordUse } from "../resources/keys/store";
import { Deliveries } from "../resources/webhooks/deliver";
import { readQueues } from "../resources/webhooks/queue-store";
import { createReceivers, type ReceiverOptions } from "../resources/webhooks/receivers";
import { createAddressRules } from "../security/address-rules";
import { createConsoleSessions } from "../security/console-sessions";
import { createKeyRing } from "../security/key-ring";
import { resealSecrets } from "../security/reseal-secrets";
import { openKeyMaker } from "../security/secret";
import { isConsoleOn, type Settings } from "../settings/settings";
import { connectDatabase } from "./connect-database";
import { createMetrics } from "./metrics/metrics";
import { serveMetrics } from "./metrics/serve-metrics";
import type { OpenDatabase } from "./open-database";
import { openPages } from "./open-pages";
import { startSweepers } from "./sweepers";
import { startTracing } from "./tracing";
import { receive } from "./workers/receive";

const defaultGraceMs = 15_000;

export interface Service {
  readonly settings: Settings;
  readonly database: Pick<OpenDatabase, "url" | "masterKey">;
  readonly logger: Logger;
  readonly maxConnections: number;
  /** Whether another process owns the port and passes its connections on. */
  readonly isWorker: boolean;
  /** Whether the process is about to close its port. */
  readonly isStopping: () => boolean;
  /** What must be called, in reverse order, to close the service. */
  readonly opened: (() => Promise<void>)[];
  /** Replaced in tests. */
  readonly overrides?: Overrides;
}

export interface Overrides {
  readonly now?: () => number;
  readonly receivers?: Omit<ReceiverOptions, "rules">;
  readonly timeouts?: Timeouts;
  /** How long to wait for a connection to the database. */
  readonly connectTimeoutMs?: number;
  /** How long running requests may take after `close`. */
  readonly graceMs?: number;
  readonly onStatement?: OnStatement;
  readonly pages?: PageSource;
  /** False in tests that run sweepers and deliveries themselves. */
  readonly hasBackgroundTasks?: boolean;
}

export interface RunningService extends RunningServer {
  readonly db: Db;
}

/** Serves requests. The database must be open and migrated. */
export async function serve(service: Service): Promise<RunningService> {
  const {
    settings,
    database,
    logger,
    maxConnections,
    isWorker,
    isStopping,
    opened,
    overrides = {},
  } = service;
  const { now = Date.now, graceMs = defaultGraceMs, hasBackgroundTasks = true } = overrides;
  const metrics = settings.MADANG_METRICS_PORT === undefined ? undefined : createMetrics();
  const tracing =
    settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? undefined
      : await startTracing({
          endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
          ratio: settings.OTEL_TRACES_SAMPLER_ARG,
          logger,
        });
  if (tracing !== undefined) opened.push(tracing.close);
  const onStatement: OnStatement = (...statement) => {
    metrics?.observeStatement(...statement);
    tracing?.observeStatement(...statement);
  };
  const db = await connectDatabase(service, { onStatement, ...overrides });
  opened.push(db.close);
  const numbering = new Numbering(db, logger);
  opened.push(() => numbering.close());
  const notifications = receiveNotifications({
    url: database.url,
    channel: notificationChannel,
    onMessage: numbering.receive,
    onError: (error) => logger.warn({ err: error }, "notifications of new events were interrupted"),
  });
  opened.push(notifications.close);
  const rateLimit = settings.MADANG_RATE_LIMIT && createCredentialLimit(db, settings.MADANG_RATE_LIMIT);
  const receivers = createReceivers({
    rules: createAddressRules(settings.MADANG_WEBHOOK_ALLOW),
    ...overrides.receivers,
  });
  opened.push(async () => receivers.close());
  const cursors = createCursors(await requireSecret(db, "cursors", randomBytes));
  const liveFeed = new LiveFeed({ db, numbering, cursors, logger });
  const listeners = new ListenerLimit({ random: Math.random });
  metrics?.watchFeed(() => measureQueue(db));
  metrics?.watchStreams(() => listeners.size);
  const masterKeys = { current: database.masterKey, previous: settings.MADANG_MASTER_KEY_PREVIOUS };
  const keyMaker = await openKeyMaker(db, masterKeys, randomBytes);
  await resealSecrets(db, keyMaker);
  const startTasks = () => {
    const retentionMs = settings.MADANG_EVENTS_DAYS * 86_400_000;
    const auditRetentionMs = settings.MADANG_AUDIT_DAYS * 86_400_000;
    const { stop, ...wakers } = startSweepers({
      db,
      numbering,
      logger,
      now,
      retentionMs,
      auditRetentionMs,
      rateLimit,
    });
    opened.push(stop);
    const deliveries = new Deliveries({
      db,
      numbering,
      keyMaker,
      receivers,
      now,
      random: Math.random,
      logger,
      mayDeliver: createDeliveryPermit(db, logger),
      onAttempt: metrics?.countWebhookAttempt,
    });
    opened.push(() => deliveries.stop());
    return { ...wakers, wakeDeliveries: () => deliveries.wake() };
  };
  const tasks = hasBackgroundTasks ? startTasks() : noTasks;
  const replicaUrl = settings.DATABASE_REPLICA_URL;
  const { pages, close: closePages } = openPages({
    primary: db,
    replicaUrl,
    maxConnections,
    retentionDays: settings.MADANG_RETENTION_DAYS,
    logger,
    metrics,
    onStatement,
  });
  opened.push(closePages);
  const app = createApp({
    db,
    logger,
    now,
    makeId: randomUUID,
    cursors,
    pages: overrides.pages ?? pages,
    numbering,
    liveFeed,
    listeners,
    onStreamDropped: metrics?.countDroppedStream,
    keyMaker,
    keyRing: createKeyRing({
      keyMaker,
      load: () => listStoredKeys(db, keyMaker),
      monotonicNow: () => performance.now(),
      now,
      onUse: (digest, usedAt) =>
        recordUse(db, digest, usedAt).catch((error: unknown) =>
          logger.warn({ err: error }, "the last use of a sub key was not stored"),
        ),
    }),
    ...(isConsoleOn(settings) && {
      consoleSessions: createConsoleSessions(
        keyMaker,
        await requireSecret(db, "console", randomBytes),
        randomBytes,
      ),
    }),
    receivers,
    unloggedOperations: settings.MADANG_LOG_OMIT,
    onWebhookChanged: tasks.wakeDeliveries,
    audit: settings.MADANG_AUDIT,
    userList: settings.MADANG_USER_LIST,
    keyHeaders: settings.MADANG_KEY_HEADERS,
    ...(settings.MADANG_VALIDATE_RESPONSES === "log" && { onInvalidResponse: logInvalidResponses(logger) }),
    ...(rateLimit && { rateLimit }),
    authFailureLimit: createAuthFailureLimit(settings.MADANG_AUTH_FAILURE_LIMIT),
    ...(metrics && { metrics }),
    ...(tracing && { tracer: tracing }),
    trustedProxies: settings.MADANG_TRUSTED_PROXIES,
    isStopping,
    onChange: numbering.wake,
    onChannelDeleted: tasks.wakeChannels,
    onUserDeleted: tasks.wakeUsers,
    onRetentionChanged: tasks.wakeRetention,
    onErasure: tasks.wakeErasures,
  });
  if (metrics !== undefined && settings.MADANG_METRICS_PORT !== undefined) {
    metrics.watchPool(db.countConnections);
    metrics.watchWebhooks(() => readQueues(db, keyMaker), now);
    const host = settings.MADANG_METRICS_HOST ?? settings.HOST;
    const metricsServer = await serveMetrics(metrics, settings.MADANG_METRICS_PORT, host);
    opened.push(metricsServer.close);
    logger.info({ url: metricsServer.url }, "serving metrics");
  }
  const server = isWorker ? receive(app) : await listen(app, settings, overrides.timeouts);
  opened.push(() => server.close(graceMs));
  opened.push(async () => liveFeed.close());
  return { ...server, db };
}

const noTasks = {
  wakeChannels: () => undefined,
  wakeUsers: () => undefined,
  wakeRetention: () => undefined,
  wakeErasures: () => undefined,
  wakeDeliveries: () => undefined,
};
