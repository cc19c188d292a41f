import { readdir, readlink, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareInstallation } from "../../src/db/embedded/installation";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrations/migrate";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { startPostgresProxy, targetOf } from "../support/postgres-proxy";
import type { TcpProxy } from "../support/tcp-proxy";
import { createBaseBackup } from "./base-backup";

export interface Cluster {
  /** The URL for servers, through the proxy. It stays the same after a restart. */
  readonly url: string;
  /** The URL without the proxy. */
  directUrl(): string;
  readonly proxy: TcpProxy;
  /** Kills every process of PostgreSQL, like a power failure. */
  kill(): Promise<void>;
  /** Starts PostgreSQL again on the same data. */
  restart(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
  close(): Promise<void>;
}

/** Starts a separate PostgreSQL with durable commits that a test may kill. */
export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const folder = await createPostgresFolder();
  const cluster = await runIn(folder, ["max_connections=120", ...settings]);
  await migrate(cluster.directUrl());
  return cluster;
}

/** Starts a streaming replica of a cluster that a test may kill. */
export async function startReplica(primary: Cluster): Promise<Cluster> {
  const folder = await createPostgresFolder();
  const { data } = await prepareInstallation(folder.path);
  await createBaseBackup(primary.directUrl(), data);
  await writeFile(join(data, "standby.signal"), "");
  const { port, username, password } = new URL(primary.url);
  await writeFile(join(folder.path, "password"), password);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  return runIn(folder, [
    "max_connections=120",
    `primary_conninfo=${source}`,
    "wal_retrieve_retry_interval=200ms",
  ]);
}

async function runIn(folder: PostgresFolder, settings: readonly string[]): Promise<Cluster> {
  const flags = settings.flatMap((setting) => ["-c", setting]);
  const start = () => startEmbeddedPostgres(folder.path, flags);
  let postgres = await start();
  const { proxy, url } = await startPostgresProxy(postgres.url);
  const { data } = await prepareInstallation(folder.path);
  return {
    url,
    directUrl: () => postgres.url,
    proxy,
    async kill() {
      await killProcesses(data);
      await postgres.stop();
    },
    async restart() {
      postgres = await start();
      proxy.retarget(targetOf(postgres.url));
    },
    async signal(signal) {
      signalEach(await listProcesses(data), signal);
    },
    async close() {
      await proxy.close();
      await postgres.stop();
      await folder.remove();
    },
  };
}

/** Kills PostgreSQL. A process that began meanwhile would outlive the others, and prevent the next start. */
export async function killProcesses(data: string): Promise<void> {
  for (;;) {
    const pids = await listProcesses(data);
    if (pids.length === 0) return;
    signalEach(pids, "SIGKILL");
    await sleep(10);
  }
}

function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A child may have ended since it was listed.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

/** The process ids of PostgreSQL on a data folder: all its processes work in it, also those without a parent. */
export async function listProcesses(data: string): Promise<number[]> {
  const folder = await realpath(data);
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)));
  return pids.filter((_, index) => folders[index] === folder);
}
