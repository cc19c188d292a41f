// Before a release: writes `repository` into the package.json of everything that is published. npm accepts a provenance only from the
// repository that it names, and only the workflow knows which one that is.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [repository, root = "."] = [process.env.GITHUB_REPOSITORY, process.argv[2]];
if (!repository) throw new Error("GITHUB_REPOSITORY is missing, such as owner/name.");

for (const folder of ["packages", "apps"])
  for (const name of readdirSync(join(root, folder))) {
    const file = join(root, folder, name, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    if (manifest.private) continue;
    const url = `git+https://github.com/${repository}.git`;
    manifest.repository = { type: "git", url, directory: `${folder}/${name}` };
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
