import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const ours = join(import.meta.dirname, "../node_modules");
let project: string;
const tarballs: Record<string, string> = {};

beforeAll(() => {
  // A real path: module resolution would follow a symbolic link out of the project.
  project = realpathSync(mkdtempSync(join(tmpdir(), "page-")));
  for (const name of ["client", "react"]) install(name);
  // Copies: a link would lead react-dom to the React of this package.
  for (const name of ["react", "react-dom"])
    cpSync(realpathSync(join(ours, `${name}-18`)), join(project, "node_modules", name), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true }));

/** Unpacks what npm would get. */
function install(name: string): void {
  const installed = join(project, "node_modules/@madang", name);
  mkdirSync(installed, { recursive: true });
  const bin = join(root, "node_modules/.bin");
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const args = ["pack", "--pack-destination", project, "--json"];
  const packed = execFileSync(join(bin, "pnpm"), args, {
    cwd: join(root, "packages", name),
    env,
    encoding: "utf8",
  });
  const { filename } = JSON.parse(packed.slice(packed.indexOf("{")));
  tarballs[name] = filename;
  execFileSync("tar", ["-xzf", filename, "--strip-components=1", "-C", installed]);
}

/** The bytes that a browser loads for these imports, compressed. */
async function sizeOf(source: string, external: string[]): Promise<{ bytes: number; code: string }> {
  const entry = join(project, "page.js");
  writeFileSync(entry, source);
  const output = await build({
    root: project,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      // As a page is built, and not a library: its white space goes as well.
      rolldownOptions: { input: entry, external, preserveEntrySignatures: "strict" },
    },
  });
  const bundles = Array.isArray(output) ? output : [output];
  const code = bundles
    .flatMap((bundle) => ("output" in bundle ? bundle.output : []))
    .map((chunk) => ("code" in chunk ? chunk.code : ""))
    .join("");
  return { bytes: gzipSync(code, { level: 9 }).length, code };
}

const otherPackages = ["react", "react/jsx-runtime"];

describe("the packed package", () => {
  test("is as bundlers, Node and every way to find types expect it", async () => {
    const { messages } = await publint({ pkgDir: join(project, "node_modules/@madang/react"), pack: false });
    expect(messages).toEqual([]);
    // It fails with a table of the problems.
    const attw = join(import.meta.dirname, "../node_modules/.bin/attw");
    execFileSync(attw, [tarballs.react ?? "", "--no-color"], { encoding: "utf8" });
  });

  test("frameworks run the hooks in the browser, and the stores wherever they are imported", () => {
    const read = (file: string) =>
      readFileSync(join(project, "node_modules/@madang/react/dist", file), "utf8");
    for (const file of ["index.js", "push.js"]) expect(read(file)).toMatch(/^"use client";/);
    // Still a directive: only directives are before it.
    expect(read("index.cjs")).toMatch(/^"use strict";\n"use client";/);
    for (const file of ["store.js", "store.cjs"]) expect(read(file)).not.toContain("use client");
  });

  test.each([
    ["import", 'import { ChatStore } from "@madang/react/store";'],
    ["require", 'const { ChatStore } = require("@madang/react/store");'],
  ])("the stores and their types need no React: %s", (kind, load) => {
    const alone = realpathSync(mkdtempSync(join(tmpdir(), "store-")));
    onTestFinished(() => rmSync(alone, { recursive: true }));
    mkdirSync(join(alone, "node_modules"));
    cpSync(join(project, "node_modules/@madang"), join(alone, "node_modules/@madang"), { recursive: true });
    const use = "new ChatStore({ url: 'https://chat.example.com', token: 't' }).connection.get().state";
    const file = kind === "import" ? "program.mts" : "program.cts";
    const types = load.replace(/const (.+) = require\((.+)\)/, "import $1 from $2");
    writeFileSync(join(alone, file), `${types} export const state: string = ${use};`);
    const options = "--noEmit --strict --target es2022 --lib es2022,dom,dom.asynciterable --module nodenext";
    const typescript = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
    const args = [typescript, ...options.split(" "), "--skipLibCheck", "false", file];
    expect(spawnSync(process.execPath, args, { cwd: alone, encoding: "utf8" }).stdout).toBe("");
    const program = join(alone, kind === "import" ? "program.mjs" : "program.cjs");
    writeFileSync(program, `${load} console.log(${use});`);
    expect(execFileSync(process.execPath, [program], { encoding: "utf8" })).toBe("connecting\n");
  });

  test.each([
    ["the hooks", 'export * from "@madang/react";', [...otherPackages, "@madang/client"], 17_200],
    ["the stores", 'export * from "@madang/react/store";', [...otherPackages, "@madang/client"], 15_700],
    ["the hooks and the SDK", 'export * from "@madang/react";', otherPackages, 44_900],
    ["push", 'export * from "@madang/react/push";', [...otherPackages, "@madang/react"], 1_500],
    ["the storage", 'export * from "@madang/react/storage";', otherPackages, 1_000],
  ])("%s: a page loads at most so many bytes", async (_, source, external, max) => {
    const { bytes } = await sizeOf(source, external);
    expect(bytes).toBeGreaterThan(max / 4);
    expect(bytes).toBeLessThanOrEqual(max);
  });

  test("a bundle for a browser has nothing of Node, and no verification of webhooks", async () => {
    const { code } = await sizeOf('export * from "@madang/react";', otherPackages);
    expect(code).not.toMatch(/from ?"node:|require\(|webhook-signature/);
  });

  test.each(["import", "require"])("the hooks of both entries find the same provider: %s", (kind) => {
    const load = (name: string) => (kind === "import" ? `await import("${name}")` : `require("${name}")`);
    const file = join(project, kind === "import" ? "push.mjs" : "push.cjs");
    writeFileSync(
      file,
      `(async () => {
        const { createElement } = ${load("react")};
        const { renderToString } = ${load("react-dom/server")};
        const { ChatProvider } = ${load("@madang/react")};
        const { usePush } = ${load("@madang/react/push")};
        const State = () => usePush(undefined).state;
        const props = { url: "https://chat.example.com", token: "ut_1" };
        console.log(renderToString(createElement(ChatProvider, props, createElement(State))));
      })();`,
    );
    expect(execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8" })).toBe("loading\n");
  });

  test("works with React 18 and its types", () => {
    const theirs = join(project, "node_modules");
    mkdirSync(join(theirs, "@types"));
    symlinkSync(realpathSync(join(ours, "@types/react-18")), join(theirs, "@types/react"));
    copyFileSync(join(import.meta.dirname, "../samples/page.tsx"), join(project, "page.tsx"));
    const options = "--noEmit --strict --target es2022 --module preserve --jsx react-jsx --types react".split(
      " ",
    );
    const typescript = join(ours, "typescript/bin/tsc");
    execFileSync(process.execPath, [typescript, ...options, "page.tsx"], { cwd: project, stdio: "pipe" });

    const render = `
      import { createElement, version } from "react";
      import { renderToString } from "react-dom/server";
      import { ChatProvider, useConversation } from "@madang/react";
      const State = () => useConversation("lunch_01").state;
      const props = { url: "https://chat.example.com", token: () => { throw new Error("It is not called."); } };
      console.log(version, renderToString(createElement(ChatProvider, props, createElement(State))));`;
    const args = ["--input-type=module", "--eval", render];
    const output = execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" });
    expect(output).toMatch(/^18\.\d+\.\d+ loading\n$/);
  });

  test("the README names what the package exports", () => {
    const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
    const read = (entry: string) =>
      readFileSync(join(project, `node_modules/@madang/react/dist/${entry}.d.ts`), "utf8");
    const types = read("index") + read("push");
    const hooks = [...types.matchAll(/\b(use[A-Z]\w+|ChatProvider)\b/g)].map(([, name]) => name ?? "");
    for (const name of new Set(hooks))
      if (!["useStore", "useChatStore"].includes(name)) expect(readme).toContain(name);
  });
});
