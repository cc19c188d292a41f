import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../apps/server/src/db/embedded/start";
import { type Sizes, seed } from "./dataset";
import { type ServerProcess, startProcess } from "./server-process";

/** A seeded database, and servers that run on it. All of it is disposed with its `resources`. */
export interface Testbed {
  readonly url: string;
  readonly database: pg.Client;
  /** Every node whose processor time counts. */
  readonly postgresPids: readonly number[];
  readonly postgresVersion: string;
  /** Starts `madang-server start`. */
  startServer(options?: ServerOptions): Promise<ServerProcess>;
  startBaseline(): Promise<ServerProcess>;
  /** Starts a program that hooks can call. */
  startHookReceiver(): Promise<ServerProcess>;
}

interface ServerOptions {
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** As `npm start` and the image pass it. */
const youngGeneration = "--max-semi-space-size=16";
export const builtServer = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const baselineProgram = fileURLToPath(new URL("./baseline.js", import.meta.url));
const hookReceiver = fileURLToPath(new URL("./hook-receiver.js", import.meta.url));

// The defaults, including fsync, except that no checkpoint starts by itself and the data fits into memory.
const postgresFlags = ["max_wal_size=16GB", "checkpoint_timeout=60min", "shared_buffers=1GB"].flatMap(
  (flag) => ["-c", flag],
);

const masterKey = `mk_${randomBytes(24).toString("base64url")}`;
export const masterHeaders = { authorization: `Bearer ${masterKey}` };

/** Starts PostgreSQL, in a folder if it needs one, and returns the URL of a database. */
type StartPostgres = (resources: AsyncDisposableStack, folder: string) => Promise<string>;

interface TestbedOptions {
  readonly startPostgres?: StartPostgres;
  /** The `dist/main.js` of another build, whose database it is then. */
  readonly program?: string;
}

export async function createTestbed(
  resources: AsyncDisposableStack,
  sizes: Sizes,
  { startPostgres = startEmbedded, program = builtServer }: TestbedOptions = {},
): Promise<Testbed> {
  const folder = await mkdtemp(join(tmpdir(), "madang-bench-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const url = await startPostgres(resources, folder);
  // Metrics are on, on any free port. The log has its default level.
  const settings = {
    DATABASE_URL: url,
    MADANG_MASTER_KEY: masterKey,
    PORT: "0",
    MADANG_METRICS_PORT: "0",
  };
  await promisify(execFile)(process.execPath, [program, "migrate"], { env: settings });
  const database = new pg.Client({ connectionString: url });
  // If PostgreSQL stops because something else failed, only that failure is reported.
  database.on("error", () => undefined);
  await database.connect();
  resources.defer(() => database.end());
  await seed(database, sizes);
  const { rows } = await database.query("SELECT current_setting('server_version') AS version");
  let started = 0;
  const start = (command: readonly string[], added: Readonly<Record<string, string>>) =>
    startProcess(resources, command, { ...settings, ...added }, join(folder, `server-${++started}.log`));
  return {
    url,
    database,
    postgresPids: [await readPid(database)],
    postgresVersion: rows[0].version,
    startServer: ({ nodeFlags = [], environment = {} } = {}) =>
      start([youngGeneration, ...nodeFlags, program, "start"], environment),
    startBaseline: () => start([baselineProgram], {}),
    startHookReceiver: () => start([hookReceiver], {}),
  };
}

async function startEmbedded(resources: AsyncDisposableStack, folder: string): Promise<string> {
  // PostgreSQL may run as another user, which needs access.
  await chmod(folder, 0o755);
  const starting = startEmbeddedPostgres(join(folder, "postgres"), postgresFlags);
  // Before it has started: an interrupted benchmark waits for the start, then stops it.
  resources.defer(async () => (await starting.catch(() => undefined))?.stop());
  return (await starting).url;
}

/** Autovacuum would affect only one side of a comparison, which vacuums between its rounds. */
export async function disableAutovacuum(database: pg.Client): Promise<void> {
  await database.query("ALTER SYSTEM SET autovacuum = off");
  await database.query("SELECT pg_reload_conf()");
}

/** The process id of the PostgreSQL that a connection leads to. */
export async function readPid(database: pg.Client): Promise<number> {
  const { rows } = await database.query(
    "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid",
  );
  return rows[0].pid;
}

/** A sub key, which clients use. */
export async function createSubKey(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/applications/keys`, { method: "POST", headers: masterHeaders });
  if (response.status !== 201)
    throw new Error(`No sub key was created: ${response.status} ${await response.text()}`);
  // The response of the contract.
  const { key } = (await response.json()) as { key: string };
  return key;
}
