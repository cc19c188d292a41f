import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { OpenApiDocument } from "../src/openapi/shape.ts";
import { type Change, compareContracts } from "./compare-contracts.ts";

const released = new URL("../released/openapi.json", import.meta.url);
const current = new URL("../openapi.json", import.meta.url);
const changesets = new URL("../../../.changeset/", import.meta.url);

export interface Compatibility {
  readonly changes: readonly Change[];
  /** The breaking changes that need a major changeset. */
  readonly errors: readonly string[];
}

/** Compares the current contract with the last released one. Before the first release, everything is allowed. */
export function checkCompatibility(): Compatibility {
  if (!existsSync(released)) return { changes: [], errors: [] };
  const changes = compareContracts(read(released), read(current));
  return { changes, errors: listErrors(changes, hasMajorChangeset()) };
}

/** A breaking change needs a major changeset of the contract. */
export function listErrors(changes: readonly Change[], hasMajor: boolean): string[] {
  if (hasMajor) return [];
  return changes
    .filter(({ isBreaking }) => isBreaking)
    .map(({ operation, description }) => `${operation}: ${description}`);
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
  // Both files are generated, and a test keeps the current one up to date.
  return JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
}
