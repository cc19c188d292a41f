import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start";
import { type Contestant, startContestant } from "./contestant";
import { type CpuClock, clockOfFamily } from "./cpu";
import { type Sizes, seed } from "./world";

/** A seeded database, and what is needed to start servers on it. */
export interface Stage {
  readonly database: pg.Client;
  readonly postgresClock: CpuClock;
  readonly postgresVersion: string;
  /** Starts `madang-server start`, with flags for Node and options of its own. */
  startServer(nodeFlags?: readonly string[], options?: readonly string[]): Promise<Contestant>;
  startCeiling(): Promise<Contestant>;
  close(): Promise<void>;
}

const builtServer = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const ceilingProgram = fileURLToPath(new URL("./ceiling.js", import.meta.url));

// As it ships, fsync and all; only that no checkpoint falls into one side's turn, and that the data fit into memory.
const flags = ["max_wal_size=8GB", "checkpoint_timeout=60min", "shared_buffers=1GB"];

export const masterKey = `mk_${randomBytes(24).toString("base64url")}`;

export async function setStage(sizes: Sizes, server = builtServer): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "madang-bench-"));
  // PostgreSQL may run as another user, who must get in.
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(
    join(folder, "postgres"),
    flags.flatMap((flag) => ["-c", flag]),
  );
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return prepareStage(postgres.url, folder, sizes, server, stop).catch(async (error) => {
    await stop();
    throw error;
  });
}

async function prepareStage(
  url: string,
  folder: string,
  sizes: Sizes,
  server: string,
  stop: () => Promise<void>,
): Promise<Stage> {
  // Metrics are on, on a port that is free; the log is at its usual level.
  const environment = {
    DATABASE_URL: url,
    MADANG_MASTER_KEY: masterKey,
    PORT: "0",
    MADANG_METRICS_PORT: "0",
  };
  await promisify(execFile)(process.execPath, [server, "migrate"], { env: environment });
  const database = new pg.Client({ connectionString: url });
  // When the PostgreSQL is stopped under it, because something else failed, that is what should be told.
  database.on("error", () => undefined);
  await database.connect();
  await seed(database, sizes);
  const { rows } = await database.query(
    "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid, current_setting('server_version') AS version",
  );
  return {
    database,
    postgresClock: clockOfFamily(rows[0].pid),
    postgresVersion: rows[0].version,
    startServer: (nodeFlags = [], options = []) =>
      startContestant([...nodeFlags, server, "start", ...options], environment, join(folder, "server.log")),
    startCeiling: () => startContestant([ceilingProgram], environment, join(folder, "ceiling.log")),
    async close() {
      await database.end();
      await stop();
    },
  };
}

/** A sub key, as callers use it. */
export async function makeSubKey(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${masterKey}` };
  const response = await fetch(`${url}/v1/applications/keys`, { method: "POST", headers });
  if (response.status !== 201)
    throw new Error(`No sub key was made: ${response.status} ${await response.text()}`);
  // The answer of the contract.
  const { key } = (await response.json()) as { key: string };
  return key;
}
