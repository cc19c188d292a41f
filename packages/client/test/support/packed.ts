import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export const root = join(import.meta.dirname, "../..");
const bin = (name: string) => [
  join(root, "node_modules/.bin", name),
  join(root, "../../node_modules/.bin", name),
];

/** Runs a tool of the project and returns what it prints; throws with its output when it fails. */
export function runTool(name: string, args: readonly string[], cwd = root): string {
  const [own, shared] = bin(name);
  const tool = [own, shared].find((path) => path !== undefined && statSync(path, { throwIfNoEntry: false }));
  if (tool === undefined) throw new Error(`${name} is not installed.`);
  try {
    // The Node of the project comes first, whatever the machine has.
    const path = [join(root, "../../node_modules/.bin"), process.env.PATH].join(delimiter);
    return execFileSync(tool, args, {
      cwd,
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, PATH: path },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${name} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}

/** A project in which only the packed SDK is installed. */
export function createConsumer(): { tarball: string; project: string; installed: string; remove(): void } {
  // A real path: module resolution would follow a symbolic link out of the project.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "consumer-")));
  runTool("pnpm", ["pack", "--pack-destination", folder]);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  execFileSync("tar", ["-xzf", tarball], { cwd: folder });
  const project = join(folder, "project");
  const installed = join(project, "node_modules/@madang/client");
  mkdirSync(join(project, "node_modules/@madang"), { recursive: true });
  cpSync(join(folder, "package"), installed, { recursive: true });
  return { tarball, project, installed, remove: () => rmSync(folder, { recursive: true }) };
}
