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

/** Licences that are compatible with distribution under MIT. */
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

test("every dependency of the server has an accepted licence", () => {
  const found = new Map<string, string>();
  collect(fileURLToPath(new URL("..", import.meta.url)), found);
  expect(found.size).toBeGreaterThan(50);
  const others = [...found].filter(
    ([, license]) => !license.split(/ OR | AND |[()]/).some((one) => accepted.includes(one)),
  );
  expect(others).toEqual([]);
});

/** Packages that are not installed belong to other platforms. */
function collect(folder: string, found: Map<string, string>): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (found.has(manifest.name)) return;
  found.set(manifest.name, manifest.license ?? "none");
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const dependency = find(name, folder);
    if (dependency !== undefined) collect(dependency, found);
  }
}

function find(name: string, from: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
  }
  return undefined;
}
