// What one call costs in a bundle, on a disk and in a compiler.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import ts from "typescript";

export const programs = {
  madang: [
    ["@madang/client"],
    'import { ChatClient } from "@madang/client"; export const one = await new ChatClient({ baseUrl: "http://x", apiKey: "k" }).users.get("kim_01");',
  ],
  openai: [
    ["openai"],
    'import { OpenAI } from "openai"; export const one = await new OpenAI({ apiKey: "k" }).models.retrieve("x");',
  ],
  stripe: [
    ["stripe"],
    'import Stripe from "stripe"; export const one = await new Stripe("k").customers.retrieve("x");',
  ],
  notion: [
    ["@notionhq/client"],
    'import { Client } from "@notionhq/client"; export const one = await new Client({ auth: "k" }).users.retrieve({ user_id: "x" });',
  ],
  octokit: [
    ["@octokit/core", "@octokit/plugin-retry", "@octokit/plugin-paginate-rest"],
    'import { Octokit } from "@octokit/core"; import { retry } from "@octokit/plugin-retry"; import { paginateRest } from "@octokit/plugin-paginate-rest"; export const one = await new (Octokit.plugin(retry, paginateRest))().request("GET /users/{username}", { username: "x" });',
  ],
};

/** Each SDK alone in its own project: installed, bundled and compiled there. */
export async function measure(name, folder, tarball, tsc) {
  const [packages, program] = programs[name];
  const project = join(folder, name);
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const wanted = packages.map((one) => (one === "@madang/client" ? tarball : one));
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--omit=peer", "--legacy-peer-deps", ...wanted],
    { cwd: project, stdio: "pipe" },
  );
  writeFileSync(join(project, "one.ts"), program);
  // Without its own, the paths of ours would lead to the source.
  writeFileSync(join(project, "tsconfig.json"), "{}");
  return {
    gzipKb: (await bundle(project)) / 1024,
    installMb: sizeOf(join(project, "node_modules")) / 1024 ** 2,
    packages:
      Object.keys(JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")).packages).length - 1,
    hover: measureHover(project),
    types: countTypes(project, tsc, "one.ts") - countTypes(project, tsc, "none.ts"),
  };
}

async function bundle(project) {
  const outDir = join(project, "bundled");
  const entry = [join(project, "one.ts")];
  const tsconfig = join(project, "tsconfig.json");
  await build({
    entry,
    outDir,
    tsconfig,
    format: "esm",
    target: "es2022",
    platform: "node",
    minify: true,
    splitting: false,
    noExternal: [/./],
    config: false,
    silent: true,
  });
  return gzipSync(readFileSync(join(outDir, "one.js")), { level: 9 }).length;
}

function sizeOf(path) {
  const stats = statSync(path);
  return stats.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : stats.size;
}

function countTypes(project, tsc, file) {
  if (file === "none.ts") writeFileSync(join(project, file), "export const one = 1;");
  const flags = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--target",
    "es2022",
  ];
  try {
    return Number(
      /^Types:\s+(\d+)/m.exec(
        execFileSync(process.execPath, [tsc, ...flags, "--extendedDiagnostics", file], {
          cwd: project,
          encoding: "utf8",
        }),
      )[1],
    );
  } catch (error) {
    return Number(/^Types:\s+(\d+)/m.exec(error.stdout)?.[1] ?? Number.NaN);
  }
}

/** How many characters an editor shows for the called method, without its sentences. */
function measureHover(project) {
  const file = join(project, "one.ts");
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      strict: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, "utf8")) : undefined,
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  });
  // The last call is the one that each program is about.
  const [{ index } = { index: 0 }] = [...readFileSync(file, "utf8").matchAll(/\.(?=\w+\()/g)].slice(-1);
  const parts = service.getQuickInfoAtPosition(file, index + 1)?.displayParts ?? [];
  return parts.map(({ text }) => text).join("").length;
}
