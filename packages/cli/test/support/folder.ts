import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder until the last test of the file. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "madang-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
