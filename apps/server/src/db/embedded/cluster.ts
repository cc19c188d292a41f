import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, existsSync, fchmodSync, openSync } from "node:fs";
import { chmod, chown, mkdir, readFile, readlink, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { codeOf } from "../../errors/thrown";
import { removeSocketFolder } from "./endpoint";
import type { Installation } from "./installation";

const run = promisify(execFile);

/** Where a restore unpacks a backup before it replaces the cluster. */
export const unfinishedRestoreOf = (data: string) => `${data}.restore`;

/** Creates the cluster in a temporary folder and renames it, so that a folder with the final name is complete. */
export async function initialiseOnce(
  { data, programs, identity }: Installation,
  superuser: string,
  password: string,
): Promise<void> {
  if ((await readIfPresent(join(data, "PG_VERSION"))) !== undefined) return;
  if (existsSync(unfinishedRestoreOf(data)))
    throw new Error(`A restore was interrupted. Run it again, or remove ${unfinishedRestoreOf(data)}.`);
  const unfinished = `${data}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const passwordFile = `${data}.pw`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined)
    for (const path of [unfinished, passwordFile]) await chown(path, identity.uid, identity.gid);
  try {
    const options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", `--username=${superuser}`];
    await run(programs.initdb, [`--pgdata=${unfinished}`, `--pwfile=${passwordFile}`, ...options], identity);
    await chmod(unfinished, 0o700);
    await rename(unfinished, data);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Starts PostgreSQL in its own process group: Ctrl-C then reaches only the server, which stops the database last. */
export function launch(
  { data, programs, identity, log }: Installation,
  options: readonly string[],
): ChildProcess {
  const output = openSync(log, "a", 0o600);
  fchmodSync(output, 0o600);
  const pipe = openPipe(data);
  const server = spawn(programs.postgres, ["-D", data, ...options], {
    ...identity,
    detached: true,
    stdio: ["ignore", output, output, pipe ?? "ignore"],
  });
  for (const file of [output, pipe]) if (file !== undefined) closeSync(file);
  server.unref();
  return server;
}

const maxEndMs = 10_000;

/**
 * Stops a PostgreSQL that a killed process left running, and removes what it left behind. The process id in its file may
 * be that of another process by now: PostgreSQL would then not start, and must not be stopped by that id.
 */
export async function stopOrphan(installation: Installation): Promise<void> {
  const { data } = installation;
  const content = await readIfPresent(pidFileOf(data));
  // The first line is the process, the fifth the folder of the socket.
  const [pid = "", , , , socketFolder = ""] = content?.split("\n") ?? [];
  if (content !== undefined && isRunning(data) !== false && (await isPostmaster(pid, data)))
    await stopCluster(installation);
  // Without their postmaster, the other processes end by themselves.
  for (const startedAt = performance.now(); isRunning(data) === true; await sleep(100))
    if (performance.now() - startedAt > maxEndMs)
      throw new Error(`A PostgreSQL of another container still uses ${data}. Stop that container.`);
  // If that is unknown, PostgreSQL itself decides whether its file is stale.
  if (isRunning(data) === false) await rm(pidFileOf(data), { force: true });
  await removeSocketFolder(socketFolder);
}

const hasPipes = process.platform !== "win32";
const pipeOf = (data: string) => `${data}.pipe`;
const pidFileOf = (data: string) => join(data, "postmaster.pid");

/** A named pipe that all processes of PostgreSQL inherit: it has a reader while any of them runs, in any container. */
function openPipe(data: string): number | undefined {
  if (!hasPipes) return undefined;
  if (!existsSync(pipeOf(data))) {
    // A PostgreSQL without the pipe may still run: a new pipe would have no reader, as if none did.
    if (existsSync(pidFileOf(data))) return undefined;
    execFileSync("mkfifo", ["-m", "600", pipeOf(data)]);
  }
  return openSync(pipeOf(data), constants.O_RDONLY | constants.O_NONBLOCK);
}

/** Whether a process of PostgreSQL runs on the data. Undefined without a pipe: an older server did not make one. */
function isRunning(data: string): boolean | undefined {
  if (!hasPipes) return undefined;
  try {
    closeSync(openSync(pipeOf(data), constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENXIO") return false;
    if (code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether the process of that id here is PostgreSQL on the data. It works in their folder. */
async function isPostmaster(pid: string, data: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder === (await realpath(data));
}

export async function stopCluster({ data, programs, identity }: Installation): Promise<void> {
  // Fails if PostgreSQL is not running, which is fine.
  await run(programs.pg_ctl, ["stop", "-D", data, "-m", "fast", "-w", "-t", "60"], identity).catch(
    () => undefined,
  );
}

const readIfPresent = (file: string) => readFile(file, "utf8").catch(() => undefined);
