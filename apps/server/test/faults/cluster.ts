import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareInstallation } from "../../src/db/embedded/installation";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrate";
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
      signalEach(await listProcesses(data), "SIGKILL");
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

export function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A child may have ended since it was listed.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

/** The process ids of the postmaster of a data folder and its children. */
export async function listProcesses(data: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const all = await Promise.all(pids.map(describeProcess));
  const postmaster = all.find(
    (each) => each?.command[0]?.endsWith("postgres") && each.command.includes(data),
  );
  if (postmaster === undefined) throw new Error(`No PostgreSQL runs on ${data}.`);
  const children = all.filter((each) => each?.parent === postmaster.pid).map((each) => each?.pid ?? 0);
  return [postmaster.pid, ...children];
}

async function describeProcess(pid: number) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    // The name in parentheses may contain spaces. After it: state, parent.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return { pid, parent, command };
  } catch {
    return undefined;
  }
}
