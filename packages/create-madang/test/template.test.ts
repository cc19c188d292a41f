import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const root = join(import.meta.dirname, "../../..");
const example = join(root, "examples/chat");
// Inside of the example, where it finds its other packages.
const project = join(example, ".packed");
const bin = (name: string) => join(example, "node_modules/.bin", name);

beforeAll(() => {
  rmSync(project, { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, "packages/create-madang/dist/main.js"), project], {
    stdio: "ignore",
  });
  for (const name of ["client", "react"]) install(name);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Unpacks what npm would get. */
function install(name: string): void {
  const installed = join(project, "node_modules/@madang", name);
  mkdirSync(installed, { recursive: true });
  const folder = mkdtempSync(join(project, "packed-"));
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` };
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { cwd: join(root, "packages", name), env });
  const [file = ""] = readdirSync(folder);
  execFileSync("tar", ["-xzf", join(folder, file), "--strip-components=1", "-C", installed]);
  // A package of another folder is not found from there.
  const ky = join(root, "packages/client/node_modules/ky");
  if (name === "client") symlinkSync(ky, join(project, "node_modules/ky"));
}

test("the template has no type errors, and builds, with the packed packages", () => {
  execFileSync(bin("tsc"), ["-p", "."], { cwd: project, stdio: "pipe" });
  execFileSync(bin("vite"), ["build"], {
    cwd: project,
    stdio: "pipe",
    env: { ...process.env, MADANG_URL: "https://chat.example.com" },
  });
  const names = readdirSync(join(project, "dist"), { recursive: true }).map(String);
  expect(names).toContain("service-worker.js");
  // What is opened by a click is loaded then.
  for (const name of ["emoji-picker", "image-viewer", "message-menu"])
    expect(names.filter((file) => file.startsWith(`assets/${name}-`) && file.endsWith(".js"))).toHaveLength(
      1,
    );
});

test("a page loads at most 61.2 kB of script with the kit, without React", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const output = await build({
    root: project,
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      rolldownOptions: { input: join(project, "src/main.tsx"), external: /^react(-dom)?(\/|$)/ },
    },
  });
  const chunks = ("output" in output ? output.output : []).flatMap((each) =>
    each.type === "chunk" ? [each] : [],
  );
  // The entry, and what it imports: what it loads later is not needed for the first page.
  const names = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of names)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      names.add(imported);
  const sizes = chunks
    .filter(({ fileName }) => names.has(fileName))
    .map(({ code }) => gzipSync(code, { level: 9 }).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(30_000);
  expect(bytes).toBeLessThanOrEqual(61_200);
});
