import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

/** The user that PostgreSQL runs as, if not the current one: PostgreSQL does not run as root. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

export function findIdentity(): Identity {
  return process.getuid?.() === 0 ? findUser() : {};
}

function findUser(): Required<Identity> {
  for (const name of ["postgres", "nobody"]) {
    try {
      const readId = (option: string) =>
        Number(execFileSync("id", [option, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: readId("-u"), gid: readId("-g") };
    } catch {
      // This machine has no such user.
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and this machine has no user named postgres or nobody. Start as another user, or set DATABASE_URL.",
  );
}

/** Checks with a process of that user: permissions depend on more than the file mode. */
export function canReach(uid: number, path: string): boolean {
  try {
    execFileSync("test", ["-x", resolve(path)], { uid, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
