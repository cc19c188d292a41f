import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { claim } from "./claim";
import { type Ground, prepareGround } from "./ground";

export interface EmbeddedPostgres {
  /** Where the database listens, for a client on this machine. */
  readonly url: string;
  /** Ends the database in good order. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes from npm on a free port of this machine, its data below `folder`, which is
 * initialised once. A database that an earlier, killed process left running is ended first.
 */
export async function startEmbeddedPostgres(
  folder: string,
  flags: readonly string[] = [],
): Promise<EmbeddedPostgres> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const release = await claim(join(folder, "owner.pid"));
  try {
    const ground = await prepareGround(folder);
    const password = await readOrMakePassword(join(folder, "password"));
    await initialiseOnce(ground, password);
    await stopLeftover(ground);
    const port = await findFreePort();
    const server = launch(ground, port, flags);
    const url = `postgresql://${superuser}:${password}@127.0.0.1:${port}`;
    await waitUntilReady(server, `${url}/postgres`, ground);
    await createDatabaseOnce(`${url}/postgres`);
    return {
      url: `${url}/${database}`,
      async stop() {
        await stopCluster(ground);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const superuser = "madang";
const database = "madang";
const run = promisify(execFile);

async function readOrMakePassword(file: string): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return known;
  const password = randomBytes(24).toString("base64url");
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

/** Into a folder of another name first: what bears the final name is whole. */
async function initialiseOnce({ data, programs, identity, log }: Ground, password: string): Promise<void> {
  if ((await readFile(join(data, "PG_VERSION"), "utf8").catch(() => undefined)) !== undefined) return;
  const unfinished = `${data}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const passwordFile = `${data}.pw`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await writeFile(log, "");
  if (identity.uid !== undefined && identity.gid !== undefined)
    for (const path of [unfinished, passwordFile, log]) await chown(path, identity.uid, identity.gid);
  try {
    const options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", `--username=${superuser}`];
    await run(programs.initdb, [`--pgdata=${unfinished}`, `--pwfile=${passwordFile}`, ...options], identity);
    await chmod(unfinished, 0o700);
    await rename(unfinished, data);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function stopLeftover(ground: Ground): Promise<void> {
  const isLeft = await readFile(join(ground.data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (isLeft !== undefined) await stopCluster(ground);
}

async function stopCluster({ data, programs, identity }: Ground): Promise<void> {
  // Fails when nothing runs, which is what is wanted.
  await run(programs.pg_ctl, ["stop", "-D", data, "-m", "fast", "-w", "-t", "60"], identity).catch(
    () => undefined,
  );
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject()));
    });
  });
}

/** In a process group of its own, so that Ctrl-C reaches the server alone, which ends the database last. */
function launch(
  { data, programs, identity, log }: Ground,
  port: number,
  flags: readonly string[],
): ChildProcess {
  const output = openSync(log, "a");
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const server = spawn(programs.postgres, ["-D", data, "-p", String(port), ...settings, ...flags], {
    ...identity,
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  server.unref();
  return server;
}

async function waitUntilReady(server: ChildProcess, url: string, { log }: Ground): Promise<void> {
  let failure: unknown;
  server.once("error", (error) => {
    failure = error;
  });
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const hasEnded = failure !== undefined || server.exitCode !== null || server.signalCode !== null;
    if (hasEnded) break;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      failure = isStillStarting(error) ? undefined : error;
      await sleep(50);
    }
  }
  throw new Error(`The embedded PostgreSQL did not start; its log is ${log}.`, { cause: failure });
}

/** Nobody listens yet, or PostgreSQL says that it is starting up or recovering. */
function isStillStarting(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "57P03";
}

async function createDatabaseOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE "${database}"`);
  } finally {
    await client.end();
  }
}
