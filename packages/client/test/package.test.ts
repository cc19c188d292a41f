import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConsumer, root, runTool } from "./support/packed";

let consumer: ReturnType<typeof createConsumer>;
beforeAll(() => {
  consumer = createConsumer();
});
afterAll(() => consumer.remove());

test("publint and attw report no problem", () => {
  runTool("publint", ["--strict", consumer.tarball]);
  runTool("attw", [consumer.tarball, "--no-color"]);
});

describe("runs where it is installed", () => {
  const use =
    "console.log(new ChatClient({ baseUrl: 'http://127.0.0.1', apiKey: 'key' }).users.list().constructor.name)";
  test.each([
    ["esm.mjs", `import { ChatClient } from "@madang/client"; ${use}`],
    ["cjs.cjs", `const { ChatClient } = require("@madang/client"); ${use}`],
  ])("%s", (file, program) => {
    writeFileSync(join(consumer.project, file), program);
    expect(execFileSync(process.execPath, [file], { cwd: consumer.project, encoding: "utf8" })).toBe(
      "Pager\n",
    );
  });
});

describe("compiles without DOM types and skipLibCheck, with every strict option", () => {
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--target",
    "es2022",
  ];
  const modules = [
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const;
  const compilers = ["typescript", "typescript-5.4"] as const;
  const all = compilers.flatMap((compiler) => modules.map((kind) => [compiler, ...kind] as const));
  test.each(all)("%s, module %s, resolution %s", (compiler, module, resolution) => {
    copyFileSync(join(root, "test/consumer/program.ts"), join(consumer.project, "program.mts"));
    const kind = ["--module", module, "--moduleResolution", resolution, "--skipLibCheck", "false"];
    const tsc = join(root, "node_modules", compiler, "bin/tsc");
    const args = [tsc, ...options, ...kind, "--lib", "es2022", "program.mts"];
    const { stdout } = spawnSync(process.execPath, args, { cwd: consumer.project, encoding: "utf8" });
    expect(stdout).toBe("");
  });
});

test("the README of the repository packs the package", () => {
  const readme = readFileSync(join(root, "../../README.md"), "utf8");
  const [command = ""] = /^npx pnpm .* pack --pack-destination/m.exec(readme) ?? [];
  expect(command).toBe(`npx pnpm --filter @madang/client pack --pack-destination`);
  expect(readme).toContain(`npm install ./${basename(consumer.tarball)}\n`);
  expect(readme).toContain("npm install --save-dev tsx typescript @types/node\n");
});

test("the program in the README of the repository compiles and runs in a project made by its commands", () => {
  const readme = readFileSync(join(root, "../../README.md"), "utf8");
  expect(readme).toMatch(/^npm pkg set type=module$/m);
  const [, program = ""] =
    /<!-- sample: examples\/src\/readme\.ts -->\n```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const project = join(consumer.project, "my-app");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "my-app", "type": "module" }');
  writeFileSync(join(project, "app.ts"), program);
  const options = [
    "--strict",
    "--noEmit",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
  ];
  runTool("tsc", [...options, "app.ts"], project);
  const env = { ...process.env, MADANG_URL: "http://127.0.0.1:1", MADANG_API_KEY: "mk_0123456789abcdef" };
  // Without a server: the first call of the program ends it.
  const { stderr } = spawnSync(process.execPath, ["app.ts"], { cwd: project, env, encoding: "utf8" });
  expect(stderr).toContain("ConnectionError");
  for (const line of stderr.split("\n")) expect(line.length).toBeLessThan(500);
});

test.each([
  ["testing.mjs", 'import { FaultyFetch } from "@madang/client/testing";'],
  ["testing.cjs", 'const { FaultyFetch } = require("@madang/client/testing");'],
])("the faults for tests run where they are installed: %s", (file, load) => {
  const use = "const faulty = new FaultyFetch(fetch); faulty.failNext({ kind: 'reset' });";
  const call = "faulty.fetch('http://127.0.0.1').catch(({ message }) => console.log(message));";
  writeFileSync(join(consumer.project, file), `${load} ${use} ${call}`);
  expect(execFileSync(process.execPath, [file], { cwd: consumer.project, encoding: "utf8" })).toBe(
    "fetch failed\n",
  );
});

test.each([
  ["webhooks.mjs", 'import { verifyWebhook } from "@madang/client/webhooks";'],
  ["webhooks.cjs", 'const { verifyWebhook } = require("@madang/client/webhooks");'],
])("the verification of webhooks runs where it is installed: %s", (file, load) => {
  const use = "verifyWebhook('whsec_AAAA', {}, '').catch(({ name }) => console.log(name));";
  writeFileSync(join(consumer.project, file), `${load} ${use}`);
  expect(execFileSync(process.execPath, [file], { cwd: consumer.project, encoding: "utf8" })).toBe(
    "WebhookVerificationError\n",
  );
});

test("the published types do not mention ts-rest or Zod", () => {
  const declarations = readdirSync(join(consumer.installed, "dist")).filter((name) =>
    /\.d\.c?ts$/.test(name),
  );
  expect(declarations.length).toBeGreaterThan(5);
  for (const name of declarations)
    expect(readFileSync(join(consumer.installed, "dist", name), "utf8")).not.toMatch(
      /ts-rest|zod|@madang\/contract/,
    );
});

test("a program of one file costs the compiler at most 700 types", () => {
  const count = (program: string) => {
    writeFileSync(join(consumer.project, "count.mts"), program);
    const flags = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--lib",
      "es2022",
      "--target",
      "es2022",
      "--skipLibCheck",
    ];
    const report = runTool("tsc", [...flags, "--extendedDiagnostics", "count.mts"], consumer.project);
    return Number(/^Types:\s+(\d+)/m.exec(report)?.[1]);
  };
  const call = `import { ChatClient } from "@madang/client";
    const chat = new ChatClient({ baseUrl: "http://127.0.0.1", apiKey: "key" });
    const kim = await chat.users.get("kim_01");
    export const name: string = kim.name;`;
  const types = count(call) - count("export const name: string = '';");
  expect(types).toBeGreaterThan(20);
  expect(types).toBeLessThanOrEqual(700);
});

test("one call is below 33 KB in a bundle, and the package at most 1.25 MB on a disk", async () => {
  const size = async (program: string) => {
    const entry = join(consumer.project, "bundle.mjs");
    writeFileSync(entry, program);
    const outDir = join(consumer.project, "bundled");
    // Without its own, the paths of ours would lead to the source.
    const tsconfig = join(consumer.project, "tsconfig.json");
    writeFileSync(tsconfig, "{}");
    await build({
      entry: [entry],
      outDir,
      format: "esm",
      minify: true,
      noExternal: [/./],
      config: false,
      silent: true,
      target: "es2022",
      tsconfig,
    });
    return gzipSync(readModules(outDir, "bundle"), { level: 9 }).length;
  };
  const options = "baseUrl: 'http://127.0.0.1', apiKey: 'key'";
  const call = await size(
    `import { ChatClient } from "@madang/client"; console.log(await new ChatClient({ ${options} }).users.get("kim_01"));`,
  );
  const dist = join(consumer.installed, "dist");
  const installed = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  expect(call).toBeLessThan(33 * 1024);
  expect(installed).toBeLessThanOrEqual(1.25 * 1024 * 1024);
});

/** A module of a bundle with all that it imports at once, without what it loads later. */
function readModules(folder: string, name: string): string {
  const [file = ""] = readdirSync(folder).filter((each) => each.replace(/\.m?js$/, "") === name);
  const text = readFileSync(join(folder, file), "utf8");
  const imported = [...text.matchAll(/\b(?:from|import)"\.\/([^"]+?)\.m?js"/g)].map(([, each = ""]) => each);
  return [text, ...imported.map((each) => readModules(folder, each))].join("");
}
