import { randomBytes, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { createApp } from "../app";
import { connect } from "../db/connect";
import type { Db } from "../db/db";
import { receiveNotifications } from "../db/notifications";
import { createPageSource, type PageSource, pagesOfPrimary } from "../db/replica/page-source";
import { requireSecret } from "../db/secrets";
import type { Settings } from "../env";
import { listen, type RunningServer } from "../http/listen/listen";
import { logInvalidResponses } from "../http/log-invalid-responses";
import { createAuthFailureLimit } from "../http/rate-limits/auth-failure-limit";
import { createCredentialLimit } from "../http/rate-limits/credential-limit";
import { sweepExpiredKeys } from "../idempotency/sweep";
import { createCursors } from "../paging/cursor";
import { createAddressRules } from "../security/address-rules";
import { createKeyRing } from "../security/key-ring";
import { openKeyMaker } from "../security/open-key-maker";
import { resealSecrets } from "../security/reseal-secrets";
import { sweepDeletedChannels } from "../subjects/channels/sweep";
import { startFeed } from "../subjects/events/feed";
import { measureQueue, notificationChannel } from "../subjects/events/number";
import { sweepExpiredEvents } from "../subjects/events/store";
import { createTail } from "../subjects/events/tail";
import { listStoredKeys, recordUse } from "../subjects/keys/store";
import { sweepDeletedUsers } from "../subjects/users/sweep";
import { sweepAttempts } from "../subjects/webhooks/attempts";
import { startDeliveries } from "../subjects/webhooks/deliver";
import { sweepLanes } from "../subjects/webhooks/lanes";
import { readQueues } from "../subjects/webhooks/queue";
import { createReceivers } from "../subjects/webhooks/receivers";
import { createMetrics, type Metrics } from "./metrics/metrics";
import { serveMetrics } from "./metrics/serve-metrics";
import type { OpenDatabase } from "./open-database";
import { startSweeper } from "./sweeper";
import { receive } from "./workers/receive";

// Together with the statement timeout, this limits how long a client waits for a database that does not respond.
const connectTimeoutMs = 1_000;
const graceMs = 15_000;

// Shorter than those of the primary: a page that the replica does not return in time is then read from the primary.
const replicaStatementTimeoutMs = 700;
const replicaConnectTimeoutMs = 300;

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
}

/** Serves requests. The database must be open and migrated. */
export async function serve(service: Service): Promise<RunningServer> {
  const { settings, database, logger, maxConnections, isWorker, isStopping, opened } = service;
  const metrics = settings.MADANG_METRICS_PORT === undefined ? undefined : createMetrics();
  const db = connect({
    url: database.url,
    maxConnections,
    statementTimeoutMs: settings.MADANG_STATEMENT_TIMEOUT_MS,
    connectTimeoutMs,
    onStatement(name, durationMs) {
      metrics?.observeStatement(name, durationMs);
      if (durationMs > settings.MADANG_SLOW_STATEMENT_MS)
        logger.warn({ statement: name, duration_ms: Math.round(durationMs) }, "slow statement");
    },
    onIdleError: (error) => logger.warn({ err: error }, "the database closed an idle connection"),
  });
  opened.push(db.close);
  const feed = startFeed(db, logger);
  opened.push(feed.close);
  const notifications = receiveNotifications({
    url: database.url,
    channel: notificationChannel,
    onMessage: (position) => feed.advance(Number(position)),
    onError: (error) => logger.warn({ err: error }, "notifications of new events were interrupted"),
  });
  opened.push(notifications.close);
  const channelSweeper = startSweeper("removing deleted channels", () => sweepDeletedChannels(db), logger);
  opened.push(channelSweeper.stop);
  const userSweeper = startSweeper(
    "ending roles of deleted users",
    () => sweepDeletedUsers(db).finally(feed.wake),
    logger,
  );
  opened.push(userSweeper.stop);
  const keySweeper = startSweeper(
    "removing old idempotency keys",
    () => sweepExpiredKeys(db, Date.now()),
    logger,
  );
  opened.push(keySweeper.stop);
  const retentionMs = settings.MADANG_EVENTS_DAYS * 86_400_000;
  const eventSweeper = startSweeper(
    "removing old events",
    () => sweepExpiredEvents(db, Date.now() - retentionMs),
    logger,
  );
  opened.push(eventSweeper.stop);
  const rateLimit = settings.MADANG_RATE_LIMIT && createCredentialLimit(db, settings.MADANG_RATE_LIMIT);
  if (rateLimit)
    opened.push(startSweeper("removing expired rate-limit windows", rateLimit.sweep, logger).stop);
  const receivers = createReceivers({ rules: createAddressRules(settings.MADANG_WEBHOOK_ALLOW) });
  opened.push(async () => receivers.close());
  const cursors = createCursors(await requireSecret(db, "cursors", randomBytes));
  const tail = createTail({ db, feed, cursors, logger, onDropped: metrics?.countDroppedStream });
  metrics?.watchFeed(async () => ({ ...(await measureQueue(db)), streams: tail.size }));
  const masterKeys = { current: database.masterKey, previous: settings.MADANG_MASTER_KEY_PREVIOUS };
  const keyMaker = await openKeyMaker(db, masterKeys, randomBytes);
  await resealSecrets(db, keyMaker);
  const deliveries = startDeliveries({
    db,
    feed,
    keyMaker,
    receivers,
    now: Date.now,
    random: Math.random,
    logger,
    onAttempt: metrics?.countWebhookAttempt,
  });
  opened.push(deliveries.stop);
  const webhookSweeper = startSweeper(
    "removing old attempts of webhooks",
    async () => {
      const hasAttempts = await sweepAttempts(db, Date.now() - retentionMs);
      return (await sweepLanes(db)) || hasAttempts;
    },
    logger,
  );
  opened.push(webhookSweeper.stop);
  const app = createApp({
    db,
    logger,
    now: Date.now,
    makeId: randomUUID,
    cursors,
    pages: openPages(service, db, metrics),
    feed,
    tail,
    keyMaker,
    keyRing: createKeyRing({
      keyMaker,
      load: () => listStoredKeys(db, keyMaker),
      monotonicNow: () => performance.now(),
      now: Date.now,
      onUse: (digest, usedAt) =>
        recordUse(db, digest, usedAt).catch((error: unknown) =>
          logger.warn({ err: error }, "the last use of a sub key was not stored"),
        ),
    }),
    receivers,
    unloggedOperations: settings.MADANG_LOG_OMIT,
    onWebhookChanged: deliveries.wake,
    userList: settings.MADANG_USER_LIST,
    keyHeaders: settings.MADANG_KEY_HEADERS,
    ...(settings.MADANG_VALIDATE_RESPONSES === "log" && { onInvalidResponse: logInvalidResponses(logger) }),
    ...(rateLimit && { rateLimit }),
    authFailureLimit: createAuthFailureLimit(settings.MADANG_AUTH_FAILURE_LIMIT),
    ...(metrics && { metrics }),
    trustedProxies: settings.MADANG_TRUSTED_PROXIES,
    isStopping,
    onChange: feed.wake,
    onChannelDeleted: channelSweeper.wake,
    onUserDeleted: userSweeper.wake,
  });
  if (metrics !== undefined && settings.MADANG_METRICS_PORT !== undefined) {
    metrics.watchPool(db.countConnections);
    metrics.watchWebhooks(() => readQueues(db, keyMaker), Date.now);
    const host = settings.MADANG_METRICS_HOST ?? settings.HOST;
    const metricsServer = await serveMetrics(metrics, settings.MADANG_METRICS_PORT, host);
    opened.push(metricsServer.close);
    logger.info({ url: metricsServer.url }, "serving metrics");
  }
  const server = isWorker ? receive(app) : await listen(app, settings);
  opened.push(() => server.close(graceMs));
  opened.push(async () => feed.release());
  return server;
}

/** Connects to the replica, if there is one. It may be unavailable: connections are opened when a page is read. */
function openPages(service: Service, db: Db, metrics: Metrics | undefined): PageSource {
  const { settings, logger, maxConnections, opened } = service;
  if (settings.DATABASE_REPLICA_URL === undefined) return pagesOfPrimary(db);
  const replica = connect({
    url: settings.DATABASE_REPLICA_URL,
    maxConnections,
    statementTimeoutMs: replicaStatementTimeoutMs,
    connectTimeoutMs: replicaConnectTimeoutMs,
    isReadOnly: true,
    ...(metrics && { onStatement: metrics.observeStatement }),
    // The next read logs the outage, once.
    onIdleError: () => undefined,
  });
  opened.push(replica.close);
  const onOutcome = metrics?.countReplicaRead;
  return createPageSource({ primary: db, replica, now: () => performance.now(), logger, onOutcome });
}
