import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../package-folder";

interface Guide {
  readonly id: string;
  readonly title: string;
  /** Its page as HTML. */
  readonly body: string;
}

/** The guides, from the build. Before the first one, there are none. */
export function readGuides(): readonly Guide[] {
  const path = join(packageFolder, "dist/guides.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}
