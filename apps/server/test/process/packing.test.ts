import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const packages = ["packages/contract", "packages/client", "packages/cli", "apps/server"];

const generated = ["node_modules", "dist", "generated", ".turbo", ".git"];
const isSource = (path: string) => !generated.includes(basename(path));

let clone: string;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "madang-clone-"));
  const names = await readdir(root);
  for (const name of names.filter((each) => isSource(each) && !each.startsWith(".")))
    await cp(join(root, name), join(clone, name), { recursive: true, filter: isSource });
  // As after `npm run setup`: links between our packages point into the clone, all others into this checkout.
  await symlink(join(root, "node_modules"), join(clone, "node_modules"));
  for (const folder of ["packages", "apps"])
    for (const name of await readdir(join(root, folder))) {
      const modules = join(folder, name, "node_modules");
      // The databases of tests are there, too.
      const filter = (path: string) => basename(path) !== ".cache";
      await cp(join(root, modules), join(clone, modules), {
        recursive: true,
        verbatimSymlinks: true,
        filter,
      });
    }
});
afterAll(() => rm(clone, { recursive: true }));

test.each(packages)(
  "%s is built when it is packed in a fresh clone",
  { timeout: 600_000 },
  async (folder) => {
    const from = join(clone, folder);
    await run(join(root, "node_modules/.bin/pnpm"), ["pack", "--pack-destination", clone], { cwd: from });
    const { name, version, files } = JSON.parse(await readFile(join(from, "package.json"), "utf8"));
    const tarball = join(clone, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    const { stdout } = await run("tar", ["-tzf", tarball]);
    for (const file of files) expect(stdout).toContain(`package/${file}`);
    expect(stdout).toMatch(/package\/dist\/\w+\.js/);
    if (name === "@madang/server")
      for (const file of ["index.html", "licenses.md", "assets/"])
        expect(stdout).toContain(`package/dist/console/${file}`);

    // Only links within the package work where it is installed.
    const packed = new Set(stdout.split("\n"));
    const readme = await readFile(join(from, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(<?([^()\s>#]+)/g)].map(([, link = ""]) => link);
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(relative.filter((link) => !packed.has(`package/${link}`))).toEqual([]);
  },
);
