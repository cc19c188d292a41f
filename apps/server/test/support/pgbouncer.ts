import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findIdentity } from "../../src/db/embedded/identity";
import { canConnect, findFreePort } from "./ports";
import { targetOf } from "./postgres-proxy";
import { queryOnce } from "./query-once";

/** `MADANG_TEST_PGBOUNCER` can name another program than that of the system. */
const program = process.env.MADANG_TEST_PGBOUNCER ?? "pgbouncer";
const [, major, minor] =
  /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "") ?? [];

export const hasPgbouncer = major !== undefined;
/** From this version on, it keeps prepared statements in transaction mode. */
export const keepsStatements = Number(major) > 1 || Number(minor) >= 21;

export interface Pgbouncer {
  /** The same database through PgBouncer. */
  through(databaseUrl: string): string;
  /** Closes the connections to PostgreSQL, so that later ones have the current settings of their role. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** The section `[pgbouncer]` of the deployment guide, as its lines. */
export async function readGuide(): Promise<string[]> {
  const guide = new URL("../../../../docs/guides/deploying.md", import.meta.url);
  const [, lines = ""] = /^\[pgbouncer\]\n([\s\S]*?)```/m.exec(await readFile(guide, "utf8")) ?? [];
  return lines.trim().split("\n");
}

/** Starts PgBouncer in front of the PostgreSQL of the tests, for all its databases. */
export async function startPgbouncer(postgresUrl: string, lines: readonly string[]): Promise<Pgbouncer> {
  const target = targetOf(postgresUrl);
  const { username, password, port: postgresPort } = new URL(postgresUrl);
  const host = "path" in target ? target.path.replace(/\/[^/]*$/, "") : target.host;
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "madang-pgbouncer-"));
  // PgBouncer does not run as root, and the socket of PostgreSQL belongs to this user.
  const identity = findIdentity();
  await chmod(folder, 0o755);
  await writeFile(join(folder, "users"), `"${username}" "${decodeURIComponent(password)}"\n`);
  const file = join(folder, "pgbouncer.ini");
  const text = [
    "[databases]",
    `* = host=${host} port=${postgresPort}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    `auth_file = ${join(folder, "users")}`,
    `admin_users = ${username}`,
    ...lines.filter((line) => keepsStatements || !line.startsWith("max_prepared_statements")),
  ];
  await writeFile(file, `${text.join("\n")}\n`, { mode: 0o600 });
  const { uid, gid } = identity;
  if (uid !== undefined && gid !== undefined)
    for (const path of [file, join(folder, "users")]) await chown(path, uid, gid);
  const child = spawn(program, [file], { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  await untilListening(child, port);
  const through = (databaseUrl: string) => {
    const url = new URL(databaseUrl);
    url.hostname = "127.0.0.1";
    url.port = String(port);
    return url.href;
  };
  return {
    through,
    async reconnect() {
      await queryOnce(through(`${new URL("/pgbouncer", postgresUrl)}`), "RECONNECT");
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // SIGTERM would wait for its clients in newer versions.
      child.kill("SIGQUIT");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let log = "";
  child.stderr?.on("data", (chunk) => {
    log = (log + chunk).slice(-10_000);
  });
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
  });
  while (!(await canConnect(port))) {
    if (hasEnded) throw new Error(`PgBouncer ended before it listened:\n${log}`);
    await sleep(20);
  }
}
