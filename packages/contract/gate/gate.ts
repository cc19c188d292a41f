import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { OpenApiDocument } from "../src/openapi/shape.ts";
import type { Change } from "./change.ts";
import { compareContracts } from "./compare-contracts.ts";

const released = new URL("../released/openapi.json", import.meta.url);
const current = new URL("../openapi.json", import.meta.url);
const changesets = new URL("../../../.changeset/", import.meta.url);

export interface Verdict {
  readonly changes: readonly Change[];
  /** What stands in the way of a release; empty when nothing does. */
  readonly objections: readonly string[];
}

/** The contract at hand against the last released one. Before the first release everything is allowed. */
export function judge(): Verdict {
  if (!existsSync(released)) return { changes: [], objections: [] };
  const changes = compareContracts(read(released), read(current));
  return { changes, objections: objectionsTo(changes, hasMajorChangeset()) };
}

/** A change that breaks callers needs a major changeset of the contract. */
export function objectionsTo(changes: readonly Change[], hasMajor: boolean): string[] {
  if (hasMajor) return [];
  return changes.filter(({ isBreaking }) => isBreaking).map(({ place, what }) => `${place}: ${what}`);
}

/** Whether the front matter of a changeset raises the contract to a new major version. */
export function isMajor(changeset: string): boolean {
  const frontMatter = changeset.split(/^---$/m)[1] ?? "";
  return /^["']?@madang\/contract["']?:\s*major\s*$/m.test(frontMatter);
}

function hasMajorChangeset(): boolean {
  return readdirSync(changesets)
    .filter((name) => name.endsWith(".md"))
    .some((name) => isMajor(readFileSync(new URL(name, changesets), "utf8")));
}

function read(file: URL): OpenApiDocument {
  // Both files are written by the generator, and a test holds the current one equal to it.
  return JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
}
