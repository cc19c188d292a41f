import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../../terminal/exit-codes";
import type { Format } from "../tables/read-rows";
import { type Kind, kinds } from "../tables/tables";
import { openFile, readParts } from "./read-parts";

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
  /** The saved files of messages. Absent if they were not exported. */
  readonly attachments?: { readonly files: number; readonly bytes: number };
}

export const manifestPath = (dir: string) => join(dir, "manifest.json");

/** The manifest of an export, or undefined when the folder has none. */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  const path = manifestPath(dir);
  const file = await openFile(path).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(Object(error).code)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  const text = await file.readFile("utf8").finally(() => file.close());
  try {
    const manifest: unknown = JSON.parse(text);
    // This program wrote it; `verify` checks the files against it.
    if (isManifest(manifest)) return manifest;
  } catch {
    // Reported below.
  }
  throw new CommandError(`${path} is not the manifest of an export.`);
}

function isManifest(value: unknown): value is Manifest {
  const { version, files, missing_channels } = Object(value);
  return (
    version === 1 && Array.isArray(files) && files.every(isExportedFile) && Array.isArray(missing_channels)
  );
}

/** The names that an export uses: none leads out of the folder. */
const pathPattern = /^(?:messages\/)?[a-z0-9_]+\.(?:ndjson|csv|parquet)$/;

function isExportedFile(file: unknown): file is ExportedFile {
  const { path, kind } = Object(file);
  return typeof path === "string" && pathPattern.test(path) && kinds.includes(kind);
}

export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  const temporary = `${manifestPath(dir)}.part`;
  await writeFile(temporary, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  await rename(temporary, manifestPath(dir));
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of readParts(path)) hash.update(part);
  return hash.digest("hex");
}
