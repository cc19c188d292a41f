import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Io } from "../../terminal/io";
import { profilesPath } from "../profiles/store";

/** The secret that signs forwarded events: created once, kept beside the profiles, readable by the user only. */
export async function requireSigningSecret(env: Io["env"]): Promise<string> {
  const path = join(dirname(profilesPath(env)), "listen-secret");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(temporary, `whsec_${randomBytes(24).toString("base64")}\n`, { mode: 0o600 });
  try {
    // Fails when there is one already, also one that another process made a moment ago.
    await link(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(temporary);
  }
  return (await readFile(path, "utf8")).trim();
}
