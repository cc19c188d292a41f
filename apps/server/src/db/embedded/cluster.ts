import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, existsSync, fchmodSync, openSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
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
  const server = spawn(programs.postgres, ["-D", data, ...options], {
    ...identity,
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  server.unref();
  return server;
}

/** Stops a PostgreSQL that a killed process left running, and removes its socket. */
export async function stopOrphan(installation: Installation): Promise<void> {
  const pidFile = await readIfPresent(join(installation.data, "postmaster.pid"));
  if (pidFile === undefined) return;
  await stopCluster(installation);
  // The fifth line is the folder of the socket.
  const [, , , , socketFolder = ""] = pidFile.split("\n");
  await removeSocketFolder(socketFolder);
}

export async function stopCluster({ data, programs, identity }: Installation): Promise<void> {
  // Fails if PostgreSQL is not running, which is fine.
  await run(programs.pg_ctl, ["stop", "-D", data, "-m", "fast", "-w", "-t", "60"], identity).catch(
    () => undefined,
  );
}

const readIfPresent = (file: string) => readFile(file, "utf8").catch(() => undefined);
