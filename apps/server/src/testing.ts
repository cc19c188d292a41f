import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { emptyTables } from "./db/embedded/empty-tables";
import { findData } from "./db/embedded/installation";
import { FolderInUseError } from "./db/embedded/lock-folder";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./db/embedded/start";
import { migrate } from "./db/migrations/migrate";
import { migrationsFolder, readMigrations } from "./db/migrations/migrations";
import { closeAll } from "./process/close-all";
import { createLogger } from "./process/logger";
import { serve } from "./process/serve";
import { readSettings } from "./settings/settings";

export interface TestServer {
  /** The address, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The key for every operation. */
  readonly masterKey: string;
  /** Removes all users, channels, messages, events, sub keys and webhooks. A removed sub key may work for another second. */
  reset(): Promise<void>;
  /** Stops the server and its PostgreSQL. */
  close(): Promise<void>;
}

export interface TestServerOptions {
  /**
   * Where the databases are kept between runs, in a folder for each set of migrations. Default: `node_modules/.cache/madang-test`.
   */
  readonly folder?: string;
  /** Settings of the server by their names, for example `{ MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const masterKey = "mk_only_for_tests_0123456789";
// Tests need speed; their data may be lost when the machine stops.
const postgresSettings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/**
 * Starts the real service, without data, on a free port of this machine and on an embedded PostgreSQL of its own. The
 * first start in a folder creates the database; later ones reuse it and take less than a second. Tests that run in
 * parallel may each start one. PostgreSQL ends with this process, also if that is killed before `close`.
 *
 * @example
 * const service = await startTestServer();
 * const chat = new ChatClient({ baseUrl: service.url, apiKey: service.masterKey });
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { folder = join("node_modules", ".cache", "madang-test"), settings = {} } = options;
  const { postgres, own } = await startFirstFree(join(folder, await hashMigrations()));
  // Closed in reverse order, also when a later step fails.
  const opened = [stopWithProcess(own), postgres.stop];
  const close = () => closeAll(opened);
  try {
    await migrate(postgres.url);
    await emptyTables(postgres.url);
    const defaults = {
      PORT: "0",
      LOG_LEVEL: "silent",
      MADANG_POOL_SIZE: "10",
      MADANG_FILES: `folder:${join(own, "files")}`,
    };
    const all = readSettings({ ...defaults, ...settings });
    const { url } = await serve({
      settings: all,
      database: { url: postgres.url, masterKey },
      logger: createLogger(all.LOG_LEVEL),
      maxConnections: all.MADANG_POOL_SIZE,
      countDroppedLines: () => 0,
      isStopping: () => false,
      opened,
    });
    return { url, masterKey, reset: () => emptyTables(postgres.url), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A database of other migrations would be rejected. */
async function hashMigrations(): Promise<string> {
  const checksums = (await readMigrations(migrationsFolder)).map(({ checksum }) => checksum);
  return createHash("sha256").update(checksums.join()).digest("hex").slice(0, 12);
}

/** Each server that runs at the same time has its own numbered folder, with its database and its files. */
async function startFirstFree(folder: string): Promise<{ postgres: EmbeddedPostgres; own: string }> {
  for (let number = 0; ; number++)
    try {
      const flags = postgresSettings.flatMap((setting) => ["-c", setting]);
      const own = join(folder, String(number));
      return { postgres: await startEmbeddedPostgres(own, flags), own };
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
    }
}

/**
 * Stops the PostgreSQL of a folder when this process ends, however it ends: a shell waits for the end of its input, which only this
 * process has open. The returned function ends the shell.
 */
function stopWithProcess(folder: string): () => Promise<void> {
  if (process.platform === "win32") return async () => undefined;
  const script = 'read -r _; kill -INT "$(head -n 1 "$0")"';
  const shell = spawn("sh", ["-c", script, join(findData(folder), "postmaster.pid")], {
    // Ctrl-C ends the processes of the terminal, but not the shell.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  return async () => void shell.kill();
}
