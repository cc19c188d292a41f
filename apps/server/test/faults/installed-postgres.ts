import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "../support/ports";

export const run = promisify(execFile);

/** PostgreSQL does not run as root, so then it runs as the user nobody. */
export const identity: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Lets it write to a folder that the tests created. */
export async function handOver(folder: string): Promise<void> {
  if (identity.uid !== undefined && identity.gid !== undefined)
    await chown(folder, identity.uid, identity.gid);
}

/** The folder of a complete PostgreSQL installation with pg_dump, as Debian installs it. */
export async function findInstalled(): Promise<string | undefined> {
  const home = "/usr/lib/postgresql";
  const versions = await readdir(home).catch((): string[] => []);
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
    const programs = join(home, version, "bin");
    const names = await readdir(programs).catch((): string[] => []);
    if (["initdb", "pg_ctl", "postgres", "pg_dump", "pg_restore"].every((name) => names.includes(name)))
      return programs;
  }
  return undefined;
}

export interface InstalledPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a temporary cluster with an empty database. `flags` are additional options of `postgres`. */
export async function startInstalled(
  programs: string,
  flags: readonly string[] = [],
): Promise<InstalledPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "madang-installed-"));
  await handOver(folder);
  const data = join(folder, "data");
  const as = { ...identity, cwd: folder };
  const options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--username=madang"];
  await run(join(programs, "initdb"), [`--pgdata=${data}`, ...options], as);
  const port = await findFreePort();
  const url = `postgresql://madang@127.0.0.1:${port}`;
  const settings = [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`,
    ...flags,
  ].join(" ");
  await run(
    join(programs, "pg_ctl"),
    ["start", "-w", "-D", data, "-l", join(folder, "log"), "-o", settings],
    as,
  );
  await run(join(programs, "createdb"), [`--maintenance-db=${url}/postgres`, "madang"], as);
  return {
    url: `${url}/madang`,
    async stop() {
      await run(join(programs, "pg_ctl"), ["stop", "-w", "-D", data, "-m", "fast"], as);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
