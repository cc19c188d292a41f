import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

/** The user as whom PostgreSQL runs, where it is not our own: PostgreSQL does not run as root. */
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
      const ask = (option: string) =>
        Number(execFileSync("id", [option, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: ask("-u"), gid: ask("-g") };
    } catch {
      // This machine has no such user.
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody. Start as another user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

/** Asks the system itself, with a process of that user: permissions come from too many sources to derive it here. */
export function canReach(uid: number, path: string): boolean {
  try {
    execFileSync("test", ["-x", resolve(path)], { uid, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
