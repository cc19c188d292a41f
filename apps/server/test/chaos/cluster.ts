import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrate";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy";

export interface Cluster {
  /** Where the servers find it: through the proxy, at the same place whenever it comes back. */
  readonly url: string;
  /** The same, past the proxy. */
  directUrl(): string;
  readonly proxy: TcpProxy;
  /** Kills every process of PostgreSQL at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again on what is on disk. */
  revive(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
  close(): Promise<void>;
}

/** A PostgreSQL of its own that writes to disk before it says so, and that a test may kill. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "madang-chaos-"));
  const start = () => startEmbeddedPostgres(folder, ["-c", "max_connections=120"]);
  let postgres = await start();
  await migrate(postgres.url);
  const proxy = await startTcpProxy({ host: "127.0.0.1", port: portOf(postgres.url) });
  const url = new URL(postgres.url);
  url.port = String(proxy.port);
  return {
    url: url.href,
    directUrl: () => postgres.url,
    proxy,
    async kill() {
      for (const pid of await listProcesses(portOf(postgres.url))) process.kill(pid, "SIGKILL");
      await postgres.stop();
    },
    async revive() {
      postgres = await start();
      proxy.retarget({ host: "127.0.0.1", port: portOf(postgres.url) });
    },
    async signal(signal) {
      for (const pid of await listProcesses(portOf(postgres.url))) process.kill(pid, signal);
    },
    async close() {
      await proxy.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The postmaster that was started for this port, and all its children. */
async function listProcesses(port: number): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const all = await Promise.all(pids.map(describeProcess));
  const postmaster = all.find(
    (each) => each?.command[0]?.endsWith("postgres") && each.command.includes(String(port)),
  );
  if (postmaster === undefined) throw new Error(`No PostgreSQL runs for port ${port}.`);
  const children = all.filter((each) => each?.parent === postmaster.pid).map((each) => each?.pid ?? 0);
  return [postmaster.pid, ...children];
}

async function describeProcess(pid: number) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    // After the name in brackets, which may hold spaces: state, parent.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return { pid, parent, command };
  } catch {
    return undefined;
  }
}
