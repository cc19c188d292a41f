import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Guide {
  readonly id: string;
  readonly title: string;
  /** Its page as HTML. */
  readonly body: string;
}

/** The guides: beside the built server, or where that is when the sources run. Before the first build, there are none. */
export function readGuides(): readonly Guide[] {
  const path = ["./guides.json", "../../dist/guides.json"]
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find((path) => existsSync(path));
  return path === undefined ? [] : JSON.parse(readFileSync(path, "utf8"));
}
