import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "../../../..");
const bins = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);

/** Packs a package of this repository, as it was built, and returns the path of the file. */
export function pack(source: string, folder: string): string {
  const env = { ...process.env, PATH: bins };
  // It is built already; another build would replace files that other tests run.
  const args = ["--config.ignore-scripts=true", "pack", "--pack-destination", folder];
  execFileSync("pnpm", args, { cwd: join(root, source), env, stdio: "pipe" });
  const { name, version } = readManifest(join(root, source));
  return join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}

/**
 * Installs packed packages into a folder, as a package manager would: what they depend on comes from this checkout, so that
 * no registry is needed. Returns the folder of each package.
 */
export function installPacked(sources: readonly string[], folder: string): string[] {
  const modules = join(folder, "node_modules");
  const installed = sources.map((source) => {
    const target = join(modules, readManifest(join(root, source)).name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", pack(source, folder), "-C", target, "--strip-components=1"]);
    return target;
  });
  for (const [index, source] of sources.entries()) {
    const { dependencies = {}, optionalDependencies = {} } = readManifest(installed[index] ?? "");
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const from = join(root, source, "node_modules", name);
      // Packages for other systems are not installed.
      if (existsSync(join(modules, name)) || !existsSync(from)) continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(from, join(modules, name));
    }
  }
  return installed;
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
