import { randomBytes, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { createApp } from "../app/app";
import { startBackground } from "../app/jobs";
import { receiveNotifications } from "../db/connection/notifications";
import type { OnStatement } from "../db/connection/time-statement";
import type { Database } from "../db/db";
import { requireSecret } from "../db/secrets";
import { contain } from "../errors/contain";
import { createAuthFailureLimit } from "../http/hardening/auth-failure-limit";
import { urlOf } from "../http/listen/bind";
import { type Timeouts, timeoutsFor } from "../http/listen/http-server";
import { listen, type RunningServer } from "../http/listen/listen";
import { createCredentialLimit } from "../http/rate-limits/credential-limit";
import { createChecks } from "../modules/checks/checks";
import { createFilterSet } from "../modules/checks/filter-set";
import { addHits } from "../modules/checks/filter-store";
import { createHits } from "../modules/checks/hits";
import { reportFor } from "../modules/checks/report-store";
import { ListenerLimit } from "../modules/events/live/listener-limit";
import { LiveFeed } from "../modules/events/live/live-feed";
import { Notifier, readNotifications } from "../modules/events/numbering/notifier";
import { liveChannel, measureQueue, notificationChannel } from "../modules/events/numbering/number-store";
import { Numbering } from "../modules/events/numbering/numbering";
import { createFiles } from "../modules/files/files";
import { createFileAddresses } from "../modules/files/storage/addresses";
import { findOwner } from "../modules/files/storage/marker-store";
import { openStorage } from "../modules/files/storage/open-storage";
import { measureFiles } from "../modules/files/store";
import { askHooks } from "../modules/hooks/ask-hooks";
import { createHookSet } from "../modules/hooks/hook-set";
import { createCallLog } from "../modules/hooks/seen-calls";
import { recordCalls } from "../modules/hooks/store";
import { listStoredKeys, recordUse } from "../modules/keys/store";
import { Presence } from "../modules/presence/presence";
import { measurePushes } from "../modules/push/delivery/queue-store";
import { createDeviceSecrets } from "../modules/push/device-secrets";
import { openProviders, type ProviderUrls } from "../modules/push/providers/providers";
import { Signals } from "../modules/signals/signals";
import { AppendedFeed } from "../modules/streaming/appended-feed";
import { listRevocations } from "../modules/tokens/store";
import { createDeliveryPermit } from "../modules/webhooks/delivery/permit-store";
import { readQueues } from "../modules/webhooks/delivery/queue-store";
import { createReceivers, type ReceiverOptions } from "../modules/webhooks/delivery/receivers";
import { createCursors } from "../paging/cursor";
import { createAddressRules } from "../security/address-rules";
import { createConsoleSessions } from "../security/console-sessions";
import { createKeyRing } from "../security/key-ring";
import { resealSecrets } from "../security/reseal-secrets";
import { createRevocations } from "../security/revocations";
import { openKeyMaker } from "../security/secret";
import { createUserTokens } from "../security/user-tokens";
import { basePathOf, filesSettingOf, isConsoleOn, type Settings } from "../settings/settings";
import { createResources } from "../turns/resources";
import { connectDatabase } from "./connect-database";
import {
  watchFeed,
  watchHooks,
  watchLog,
  watchPool,
  watchPresence,
  watchPushes,
  watchResources,
  watchStorage,
  watchWebhooks,
} from "./metrics/gauges";
import { createMetrics } from "./metrics/metrics";
import { serveMetrics } from "./metrics/serve-metrics";
import type { OpenDatabase } from "./open-database";
import { startTracing } from "./tracing";

const defaultGraceMs = 15_000;
const defaultMaxWaitMs = 5_000;

export interface Service {
  readonly settings: Settings;
  readonly database: Pick<OpenDatabase, "url" | "masterKey">;
  readonly logger: Logger;
  readonly maxConnections: number;
  /** How many lines of the log were dropped. */
  readonly countDroppedLines: () => number;
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
  readonly pushUrls?: ProviderUrls;
  readonly timeouts?: Timeouts;
  /** How long to wait for a connection to the database. */
  readonly connectTimeoutMs?: number;
  /** How long a request may wait for its turns, for all of them together. */
  readonly maxWaitMs?: number;
  /** How long running requests may take after `close`. */
  readonly graceMs?: number;
  readonly onStatement?: OnStatement;
  /** False in tests that run sweepers and deliveries themselves. */
  readonly hasBackgroundTasks?: boolean;
}

interface RunningService extends RunningServer {
  readonly db: Database;
}

/** Serves requests. The database must be open and migrated. */
export async function serve(service: Service): Promise<RunningService> {
  const { settings, opened, overrides = {} } = service;
  const { graceMs = defaultGraceMs, hasBackgroundTasks = true } = overrides;
  const observers = await startObserving(service);
  const shared = await openShared(service, observers);
  const { receiving, ...live } = startNotifications(service, shared);
  const appDeps = await openAppDeps(service, shared);
  // Only now: at their start, all of them want a connection at once.
  const background = hasBackgroundTasks ? startTasks(service, shared, observers) : undefined;
  const app = createApp({
    ...appDeps,
    ...live,
    ...observers,
    wake: (job) => background?.wake(job),
  });
  await serveGauges(service, shared, observers, live.presence);
  // A stream that is opened at once misses nothing.
  await receiving;
  const timeouts = overrides.timeouts ?? timeoutsFor(settings.MADANG_STATEMENT_TIMEOUT_MS);
  const server = await listen(app, settings, timeouts, basePathOf(settings));
  opened.push(() => server.close(graceMs));
  opened.push(async () => shared.liveFeed.close());
  return { ...server, db: shared.db };
}

type Observers = Awaited<ReturnType<typeof startObserving>>;
type Shared = Awaited<ReturnType<typeof openShared>>;

/** The metrics and traces that the settings ask for. */
async function startObserving({ settings, logger, opened, overrides = {} }: Service) {
  const metrics = settings.MADANG_METRICS_PORT === undefined ? undefined : createMetrics();
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracer =
    endpoint === undefined
      ? undefined
      : await startTracing({ endpoint, ratio: settings.OTEL_TRACES_SAMPLER_ARG, logger });
  if (tracer !== undefined) opened.push(tracer.close);
  const onError = (err: unknown) => logger.error({ err }, "a statement could not be observed");
  const onStatement: OnStatement = (...statement) => {
    for (const observer of [metrics, tracer, { observeStatement: overrides.onStatement }])
      contain(() => observer?.observeStatement?.(...statement), onError);
  };
  return { metrics, tracer, onStatement, onStreamDropped: metrics?.countDroppedStream };
}

/** What requests and the background share. */
async function openShared(service: Service, { onStatement, metrics }: Observers) {
  const { settings, database, logger, opened, overrides = {} } = service;
  const { now = Date.now } = overrides;
  const db = await connectDatabase(service, { ...overrides, onStatement });
  opened.push(db.close);
  const numbering = new Numbering(db, logger);
  opened.push(() => numbering.close());
  const masterKeys = { current: database.masterKey, previous: settings.MADANG_MASTER_KEY_PREVIOUS };
  const keyMaker = await openKeyMaker(db, masterKeys, randomBytes);
  await resealSecrets(db, keyMaker);
  const cursors = createCursors(keyMaker, await requireSecret(db, "cursors", randomBytes));
  const rateLimit = settings.MADANG_RATE_LIMIT && createCredentialLimit(db, settings.MADANG_RATE_LIMIT);
  const receivers = createReceivers({
    rules: createAddressRules(settings.MADANG_WEBHOOK_ALLOW),
    ...overrides.receivers,
  });
  opened.push(async () => receivers.close());
  const providers = openProviders({
    settings,
    keyMaker,
    receivers,
    now,
    randomBytes,
    urls: overrides.pushUrls,
  });
  opened.push(async () => providers.close());
  const fileAddresses = createFileAddresses(keyMaker.deriveFromMasters("addresses of files"), now);
  const { storage, close: closeStorage } = await openStorage({
    setting: filesSettingOf(settings),
    environment: settings,
    addresses: fileAddresses,
    now,
    makeId: randomUUID,
    isWriting: true,
    owner: await findOwner(db, randomBytes),
    onError: (error) => logger.warn({ err: error }, "the credentials of the storage could not be renewed"),
  });
  opened.push(async () => closeStorage());
  // Without its files, the chat goes on. The storage is checked again before each upload.
  await storage
    ?.requireOwn()
    .catch((err: unknown) => logger.error({ err }, "the storage of files is unavailable"));
  if (storage?.transfer && settings.MADANG_TRUSTED_PROXIES > 0 && settings.MADANG_PUBLIC_URL === undefined)
    logger.warn(
      "MADANG_PUBLIC_URL is missing: behind a proxy, the addresses of files may be those of this server, which clients cannot reach",
    );
  const files = createFiles({
    db,
    storage,
    maxBytes: settings.MADANG_FILE_MAX_BYTES,
    maxUserBytes: settings.MADANG_FILE_USER_BYTES,
    publicUrl: settings.MADANG_PUBLIC_URL,
    listensOn: urlOf(settings.HOST, settings.PORT),
  });
  const resources = createResources(db.maxConnections);
  const listeners = new ListenerLimit({ random: Math.random });
  const liveFeed = new LiveFeed({ db, numbering, cursors, attachments: files, logger });
  const filters = createFilterSet(db, () => performance.now());
  const hits = createHits(
    (counts) =>
      addHits(db, counts).catch((err: unknown) =>
        logger.warn({ err }, "hits of filters could not be stored"),
      ),
    metrics?.countFilterHit,
  );
  opened.push(hits.close);
  const hooks = createHookSet(db, keyMaker, () => performance.now());
  const callLog = createCallLog((hookPk, seen) =>
    recordCalls(db, hookPk, seen).catch((err: unknown) =>
      logger.warn({ err }, "calls of hooks could not be stored"),
    ),
  );
  opened.push(callLog.close);
  const onCall = metrics?.countHookCall;
  const calls = { receivers, log: callLog, logger, now, makeId: randomUUID, onCall };
  const checks = createChecks({
    filters,
    hits,
    report: (found) => reportFor(db, found, now),
    onSearch: metrics?.observeFilters,
    hooks,
    ask: (asked, question) => askHooks(calls, asked, question),
  });
  const ofFiles = { fileAddresses, storage, files, attachments: files };
  return {
    db,
    logger,
    now,
    numbering,
    keyMaker,
    cursors,
    rateLimit,
    receivers,
    providers,
    deviceSecrets: createDeviceSecrets(keyMaker, randomBytes),
    ...ofFiles,
    filters,
    hooks,
    checks,
    resources,
    listeners,
    liveFeed,
  };
}

/** Notifications between processes: that there are new events, and what is not in the feed. One connection listens for it. */
function startNotifications(
  { database, settings, logger, opened }: Service,
  { db, numbering, liveFeed }: Shared,
) {
  const notifier = new Notifier(db, logger);
  const appended = new AppendedFeed({ db, notifier, liveFeed, logger });
  const processId = randomUUID();
  const signals = new Signals(notifier, liveFeed, processId);
  const hasLastSeen = settings.MADANG_PRESENCE === "last_seen";
  const presence =
    settings.MADANG_PRESENCE === "off"
      ? undefined
      : new Presence({ db, notifier, liveFeed, processId, hasLastSeen, logger });
  opened.push(async () => presence?.close());
  opened.push(async () => {
    appended.close();
    notifier.close();
  });
  const notifications = receiveNotifications({
    url: database.url,
    onMessage: {
      [notificationChannel]: numbering.receive,
      [liveChannel]: readNotifications({
        append: (message) => appended.receive(message),
        "signal-event": (message) => signals.receive(message),
        presence: (message) => presence?.receive(message),
      }),
    },
    onError: (error) => logger.warn({ err: error }, "notifications of other processes were interrupted"),
    onInvalid: (err) => logger.warn({ err }, "a notification was not understood"),
  });
  opened.push(notifications.close);
  return { appended, signals, presence, receiving: notifications.started };
}

/** Jobs, deliveries of webhooks, and pushes. */
function startTasks({ settings, opened }: Service, shared: Shared, { metrics }: Observers) {
  const background = startBackground({
    ...shared,
    days: {
      events: settings.MADANG_EVENTS_DAYS,
      audit: settings.MADANG_AUDIT_DAYS,
      messages: settings.MADANG_RETENTION_DAYS,
    },
    random: Math.random,
    mayDeliver: createDeliveryPermit(shared.db, shared.logger),
    onAttempt: metrics?.countWebhookAttempt,
    pushSettings: { delayMs: settings.MADANG_PUSH_DELAY_MS, content: settings.MADANG_PUSH_CONTENT },
    onPush: metrics?.countPush,
    onJobStep: metrics?.observeJob,
  });
  opened.push(background.stop);
  return background;
}

/** What only requests need. */
async function openAppDeps({ settings, isStopping, overrides = {} }: Service, shared: Shared) {
  const { db, keyMaker } = shared;
  return {
    ...shared,
    makeId: randomUUID,
    maxWaitMs: overrides.maxWaitMs ?? defaultMaxWaitMs,
    keyRing: openKeyRing(shared),
    userTokens: createUserTokens(keyMaker, await requireSecret(db, "tokens", randomBytes), randomBytes),
    revocations: createRevocations({
      load: (since) => listRevocations(db, since),
      monotonicNow: () => performance.now(),
    }),
    consoleSessions: isConsoleOn(settings)
      ? createConsoleSessions(keyMaker, {
          secret: await requireSecret(db, "console", randomBytes),
          basePath: basePathOf(settings),
          randomBytes,
        })
      : undefined,
    authFailureLimit: createAuthFailureLimit(settings.MADANG_AUTH_FAILURE_LIMIT),
    audit: settings.MADANG_AUDIT,
    userList: settings.MADANG_USER_LIST,
    keyHeaders: settings.MADANG_KEY_HEADERS,
    publicMeta: settings.MADANG_PUBLIC_META,
    origins: settings.MADANG_ORIGINS,
    unloggedOperations: settings.MADANG_LOG_OMIT,
    validatesResponses: settings.MADANG_VALIDATE_RESPONSES === "log",
    basePath: basePathOf(settings),
    trustedProxies: settings.MADANG_TRUSTED_PROXIES,
    isStopping,
  };
}

function openKeyRing({ db, keyMaker, now, logger }: Shared) {
  return createKeyRing({
    keyMaker,
    load: () => listStoredKeys(db, keyMaker),
    monotonicNow: () => performance.now(),
    now,
    onUse: (digest, usedAt) =>
      recordUse(db, digest, usedAt).catch((error: unknown) =>
        logger.warn({ err: error }, "the last use of a sub key was not stored"),
      ),
  });
}

async function serveGauges(
  { settings, logger, opened, countDroppedLines }: Service,
  { db, now, keyMaker, listeners, storage, resources, hooks }: Shared,
  { metrics }: Observers,
  presence: Presence | undefined,
): Promise<void> {
  const { MADANG_METRICS_PORT: port, MADANG_METRICS_HOST: host = settings.HOST } = settings;
  if (metrics === undefined || port === undefined) return;
  const { registry } = metrics;
  watchFeed(registry, () => measureQueue(db));
  watchResources(registry, () => [...Object.values(resources), listeners.resource, ...db.listResources()]);
  watchPool(registry, db.countConnections);
  watchLog(registry, countDroppedLines);
  if (presence !== undefined) watchPresence(registry, () => presence.size);
  if (storage !== undefined) watchStorage(registry, storage, () => measureFiles(db));
  watchPushes(registry, () => measurePushes(db));
  watchHooks(registry, hooks.known);
  watchWebhooks(registry, () => readQueues(db, keyMaker), now);
  const { url, close } = await serveMetrics(registry, port, host);
  opened.push(close);
  logger.info({ url }, "serving metrics");
}
