import { execFile } from "node:child_process";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Pinned, so that a measurement can be repeated. */
const parseVersion = "9.10.0";

/**
 * Installs Parse Server into a folder of its own, once. It is no dependency of the workspace, because its 447 packages
 * are not needed for anything else.
 */
export async function installParseServer(results: string): Promise<string> {
  const folder = join(results, `parse-server-${parseVersion}`);
  const isThere = await access(join(folder, "node_modules/parse-server/package.json")).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`);
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  await promisify(execFile)("npm", ["install", ...flags, `parse-server@${parseVersion}`], { cwd: folder });
  return folder;
}
