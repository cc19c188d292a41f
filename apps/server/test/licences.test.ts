import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Each lets a program under MIT be shipped with it. */
const accepted = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "PostgreSQL",
  "Unlicense",
];

test("every package that the server brings along has a licence that lets it", () => {
  const found = new Map<string, string>();
  collect(fileURLToPath(new URL("..", import.meta.url)), found);
  expect(found.size).toBeGreaterThan(50);
  const others = [...found].filter(
    ([, license]) => !license.split(/ OR | AND |[()]/).some((one) => accepted.includes(one)),
  );
  expect(others).toEqual([]);
});

/** What is not installed is of another platform. */
function collect(folder: string, found: Map<string, string>): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (found.has(manifest.name)) return;
  found.set(manifest.name, manifest.license ?? "none");
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const place = find(name, folder);
    if (place !== undefined) collect(place, found);
  }
}

function find(name: string, from: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return realpathSync(place);
  }
  return undefined;
}
