import type { Database } from "../../src/db/db";
import { createLogger } from "../../src/process/logger";
import { type Overrides, serve } from "../../src/process/serve";
import { readSettings } from "../../src/settings/settings";
import { createDatabase, filesFolderOf } from "./database";

export const masterKey = "mk_only-for-tests-0123456789";

export interface TestServer {
  readonly url: string;
  readonly db: Database;
  readonly databaseUrl: string;
  /** The log of the server. */
  readonly logLines: string[];
  close(): Promise<void>;
}

/** What differs from the settings below, and what `serve` lets a test replace, such as the clock. */
export interface ServerOptions extends Overrides {
  readonly settings?: Readonly<Record<string, string>>;
  readonly maxConnections?: number;
  readonly isStopping?: () => boolean;
}

const testSettings = {
  PORT: "0",
  // Tests may send very many wrong keys, and wait longer than a client would.
  MADANG_AUTH_FAILURE_LIMIT: "1000000/60s",
  MADANG_STATEMENT_TIMEOUT_MS: "30000",
  MADANG_VALIDATE_RESPONSES: "log",
  MADANG_PUSH_CONTACT: "mailto:operator@example.com",
};

/**
 * Starts the service on a free port, with the wiring of a production process. Several servers may share one database. Webhooks
 * are delivered and expired rows are removed only with `hasBackgroundTasks`.
 */
export async function startServerOn(
  databaseUrl: string,
  { settings, maxConnections = 10, isStopping = () => false, ...overrides }: ServerOptions = {},
): Promise<TestServer> {
  const logLines: string[] = [];
  const opened: (() => Promise<void>)[] = [];
  const { url, db } = await serve({
    settings: readSettings({
      ...testSettings,
      MADANG_FILES: `folder:${filesFolderOf(databaseUrl)}`,
      ...settings,
    }),
    database: { url: databaseUrl, masterKey },
    logger: createLogger("info", { write: (line) => void logLines.push(line) }),
    maxConnections,
    countDroppedLines: () => 0,
    isStopping,
    opened,
    overrides: {
      receivers: { hostNames: { resolve: rejectUnknownName, close: () => undefined } },
      connectTimeoutMs: 30_000,
      maxWaitMs: 60_000,
      graceMs: 0,
      hasBackgroundTasks: false,
      ...overrides,
    },
  });
  return {
    url,
    db,
    databaseUrl,
    logLines,
    async close() {
      for (const step of opened.splice(0).reverse()) await step();
      // A test fails if its server sent any response that violates the contract.
      const violations = logLines.filter((line) => line.includes('"msg":"response violates the contract"'));
      if (violations.length > 0) throw new Error(violations.join(""));
    },
  };
}

/** The same with its own database, which `close` drops. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const database = await createDatabase();
  const server = await startServerOn(database.url, options);
  return {
    ...server,
    async close() {
      await server.close();
      await database.drop();
    },
  };
}

/** The address of the metrics of a server with `MADANG_METRICS_PORT`. */
export function metricsUrlOf({ logLines }: TestServer): string {
  return JSON.parse(logLines.find((line) => line.includes('"msg":"serving metrics"')) ?? "{}").url;
}

export async function readMetrics(server: TestServer): Promise<string> {
  return (await fetch(metricsUrlOf(server))).text();
}

/** Tests reach no name server. */
async function rejectUnknownName(): Promise<never> {
  throw Object.assign(new Error("There is no such host."), { code: "ENOTFOUND" });
}
