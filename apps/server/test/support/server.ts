import { randomBytes, randomUUID } from "node:crypto";
import pino from "pino";
import { createApp } from "../../src/app";
import { readShardMap } from "../../src/db/citus/shard-map";
import { connect, type DbSettings } from "../../src/db/connect";
import type { Db } from "../../src/db/db";
import { receiveNotifications } from "../../src/db/notifications";
import { pagesOfPrimary } from "../../src/db/replica/page-source";
import { requireSecret } from "../../src/db/secrets";
import { withConnection } from "../../src/db/with-connection";
import type { HttpDeps } from "../../src/http/deps";
import type { Timeouts } from "../../src/http/listen/http-server";
import { listen } from "../../src/http/listen/listen";
import type { InvalidResponse } from "../../src/http/validate-responses";
import { createCursors } from "../../src/paging/cursor";
import type { Deps } from "../../src/resources/deps";
import { startFeed } from "../../src/resources/events/feed";
import { notificationChannel } from "../../src/resources/events/number";
import { createTail } from "../../src/resources/events/tail";
import { listStoredKeys, recordUse } from "../../src/resources/keys/store";
import { createReceivers } from "../../src/resources/webhooks/receivers";
import { createAddressRules } from "../../src/security/address-rules";
import { createKeyRing } from "../../src/security/key-ring";
import { openKeyMaker } from "../../src/security/open-key-maker";
import { connectsToNodes } from "./citus";
import { createDatabase } from "./database";

export const masterKey = "mk_only-for-tests-0123456789";

export interface TestServer {
  readonly url: string;
  readonly db: Db;
  readonly databaseUrl: string;
  /** The log of the server. */
  readonly logLines: string[];
  close(): Promise<void>;
}

/** Starts the real application on a free port. Several servers may share one database. */
export async function startServerOn(
  databaseUrl: string,
  change: Partial<Deps & HttpDeps> = {},
  dbChange: Partial<DbSettings> = {},
  timeouts?: Timeouts,
): Promise<TestServer> {
  const logLines: string[] = [];
  const invalidResponses: InvalidResponse[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void logLines.push(line) });
  const shardMap = await withConnection(databaseUrl, readShardMap);
  const db = connect({
    url: databaseUrl,
    shardMap,
    connectsToNodes,
    maxConnections: 10,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
    onIdleError: () => undefined,
    ...dbChange,
  });
  const feed = startFeed(db, logger);
  const notifications = receiveNotifications({
    url: databaseUrl,
    channel: notificationChannel,
    onMessage: (position) => feed.advance(Number(position)),
    onError: () => undefined,
  });
  const receivers = createReceivers({
    rules: createAddressRules([]),
    hostNames: { resolve: rejectUnknownName, close: () => undefined },
  });
  const cursors = createCursors(await requireSecret(db, "cursors", randomBytes));
  const keyMaker = await openKeyMaker(db, { current: masterKey }, randomBytes);
  const app = createApp({
    db,
    logger,
    now: Date.now,
    makeId: randomUUID,
    cursors,
    pages: pagesOfPrimary(db),
    keyMaker,
    keyRing: createKeyRing({
      keyMaker,
      load: () => listStoredKeys(db, keyMaker),
      monotonicNow: () => performance.now(),
      now: change.now ?? Date.now,
      onUse: (digest, usedAt) => void recordUse(db, digest, usedAt).catch(() => undefined),
    }),
    receivers,
    onWebhookChanged: () => undefined,
    feed,
    tail: createTail({ db, feed, cursors, logger }),
    userList: "cursor",
    keyHeaders: [],
    onInvalidResponse: (response) => invalidResponses.push(response),
    trustedProxies: 0,
    isStopping: () => false,
    onChange: feed.wake,
    onChannelDeleted: () => undefined,
    onUserDeleted: () => undefined,
    ...change,
  });
  const server = await listen(app, { PORT: 0, HOST: "127.0.0.1" }, timeouts);
  return {
    url: server.url,
    db,
    databaseUrl,
    logLines,
    async close() {
      feed.release();
      await server.close(0);
      receivers.close();
      await notifications.close();
      await feed.close();
      await db.close();
      // A test fails if its server sent any response that violates the contract.
      if (invalidResponses.length > 0)
        throw new Error(`Responses that violate the contract: ${JSON.stringify(invalidResponses)}`);
    },
  };
}

/** Tests reach no name server. */
async function rejectUnknownName(): Promise<never> {
  throw Object.assign(new Error("There is no such host."), { code: "ENOTFOUND" });
}

/** The same with its own database, which `close` drops. */
export async function startServer(
  change: Partial<Deps & HttpDeps> = {},
  dbChange: Partial<DbSettings> = {},
): Promise<TestServer> {
  const database = await createDatabase();
  const server = await startServerOn(database.url, change, dbChange);
  return {
    ...server,
    async close() {
      await server.close();
      await database.drop();
    },
  };
}
