import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "../../terminal/exit-codes";
import type { Io } from "../../terminal/io";

/** A URL with its key. */
export interface Profile {
  readonly url: string;
  readonly key: string;
}

export interface Profiles {
  /** The name of the profile that commands use. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** `~/.config/madang/profiles.json`. */
export function profilesPath(env: Io["env"]): string {
  const { XDG_CONFIG_HOME: configHome, HOME: home } = env;
  return join(configHome || join(home || homedir(), ".config"), "madang", "profiles.json");
}

export async function readProfiles(env: Io["env"]): Promise<Profiles> {
  const path = profilesPath(env);
  let text: string;
  try {
    // On Windows, the mode does not show the permissions.
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new CommandError(`Other users can read ${path}, which contains keys. Run: chmod 600 ${path}`);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (Object(error).code === "ENOENT") return { profiles: {} };
    throw error;
  }
  return parseProfiles(text, path);
}

/** Replaces the file atomically, so that concurrent commands never leave half of it. */
export async function writeProfiles(env: Io["env"], profiles: Profiles): Promise<void> {
  const path = profilesPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The error does not quote the text, which contains keys. */
function parseProfiles(text: string, path: string): Profiles {
  try {
    const value: unknown = JSON.parse(text);
    if (isProfiles(value)) return value;
  } catch {
    // Reported below.
  }
  throw new CommandError(`${path} is not a list of profiles. Delete it and run: madang login`);
}

function isProfiles(value: unknown): value is Profiles {
  const { current, profiles } = Object(value);
  return (
    (current === undefined || typeof current === "string") &&
    typeof profiles === "object" &&
    profiles !== null &&
    Object.values(profiles).every(
      (profile) => typeof Object(profile).url === "string" && typeof Object(profile).key === "string",
    )
  );
}
