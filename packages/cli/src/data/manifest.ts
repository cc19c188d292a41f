import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../exit-codes";
import { readParts } from "./read-parts";
import type { Format } from "./read-rows";
import type { Kind } from "./tables";

/** A finished file of an export. */
export interface ExportedFile {
  readonly path: string;
  readonly kind: Kind;
  readonly channel_id?: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly first_id?: string;
  readonly last_id?: string;
}

export interface DayRange {
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
}

/** `manifest.json`: what an export contains. It is written last. */
export interface Manifest extends DayRange {
  readonly version: 1;
  readonly format: Format;
  readonly server: string;
  /** The channels that were named on the command line. Absent: all. */
  readonly channels?: readonly string[];
  readonly exported_at: number;
  readonly files: readonly ExportedFile[];
  /** Channels that were deleted while they were exported. */
  readonly missing_channels: readonly string[];
}

export const manifestPath = (dir: string) => join(dir, "manifest.json");

/** The manifest of an export, or undefined when the folder has none. */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readFile(manifestPath(dir), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(Object(error).code)) return undefined;
    throw error;
  }
  try {
    const manifest: unknown = JSON.parse(text);
    // This program wrote it; `verify` checks the files against it.
    if (Object(manifest).version === 1 && Array.isArray(Object(manifest).files)) return manifest as Manifest;
  } catch {
    // Reported below.
  }
  throw new CommandError(`${manifestPath(dir)} is not the manifest of an export.`);
}

export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const temporary = `${manifestPath(dir)}.part`;
  const file = await open(temporary, "w");
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, manifestPath(dir));
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of readParts(path)) hash.update(part);
  return hash.digest("hex");
}
