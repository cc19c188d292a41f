import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { templates } from "../src/copy.ts";

const program = join(import.meta.dirname, "../dist/main.js");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "create-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Without a terminal, nothing is asked. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH };
  const running = promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env });
  running.child.stdin?.end();
  return running.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout }) => ({ code, output: stdout }),
  );
}

const read = (...path: string[]) => readFile(join(folder, ...path), "utf8");

describe("create-madang", () => {
  test.each(templates)("the template %s is a project that stands alone", async (template) => {
    await writeFile(join(folder, "key"), "sk_1\n");
    const { code } = await run(
      "My Chat",
      "--template",
      template,
      "--url",
      "http://127.0.0.1:3999",
      "--key-file",
      "key",
    );
    expect(code).toBe(0);
    const project = JSON.parse(await read("My Chat", "package.json"));
    expect(project).toMatchObject({ name: "my-chat", private: true, scripts: { dev: expect.any(String) } });
    const ranges = Object.values<string>({ ...project.dependencies, ...project.devDependencies });
    for (const range of ranges) expect(range).toMatch(/^[~^]?\d+\.\d+\.\d+/);
    const settings = (await read("My Chat", ".env")).split("\n").filter(Boolean);
    // Only the template with a session has its secret.
    const secret = template === "next" ? [expect.stringMatching(/^SESSION_SECRET=\w{64}$/)] : [];
    expect(settings).toEqual(["MADANG_URL=http://127.0.0.1:3999", "MADANG_API_KEY=sk_1", ...secret]);
    expect((await stat(join(folder, "My Chat/.env"))).mode & 0o077).toBe(0);
    expect(await read("My Chat", ".gitignore")).toContain(".env");
    const names = await readdir(join(folder, "My Chat"), { recursive: true });
    expect(names.filter((name) => /node_modules|dist|workspace|\.png$/.test(name))).toEqual([]);
    expect((await read("My Chat", "README.md")).split("\n").length).toBeLessThan(50);
  });

  test.each(templates)("no file of the template %s is missing", async (template) => {
    await run("page", "--template", template);
    const names = await readdir(join(folder, "page"), { recursive: true });
    const sources = names.filter((name) => /\.tsx?$/.test(name));
    expect(sources.length).toBeGreaterThan(20);
    for (const name of sources)
      for (const [, imported = ""] of (await read("page", name)).matchAll(
        /(?:from|import\(?) ?"(\.[^"]+)"/g,
      )) {
        const path = join("page", name, "..", imported);
        const found = ["", ".ts", ".tsx"].filter((end) => existsSync(join(folder, `${path}${end}`)));
        expect([name, imported, found.length]).toEqual([name, imported, 1]);
      }
  });

  test("Expo gets no setting that the app must not have, and the versions of this repository where both use a package", async () => {
    await run("app", "--template", "expo");
    const catalog = parse(
      await readFile(join(import.meta.dirname, "../../../pnpm-workspace.yaml"), "utf8"),
    ).catalog;
    const { dependencies, devDependencies } = JSON.parse(await read("app", "package.json"));
    for (const name of ["hono", "@hono/node-server"]) expect(dependencies[name]).toBe(`^${catalog[name]}`);
    expect(devDependencies.typescript).toBe(`^${catalog.typescript}`);
    expect(await read("app", ".env")).not.toContain("EXPO_PUBLIC");
    expect(JSON.parse(await read("app", "app.json"))).toMatchObject({ expo: { slug: "chat" } });
    const names = await readdir(join(folder, "app/chat"));
    for (const name of names.filter((each) => each.endsWith(".tsx")))
      expect([name, (await read("app/chat", name)).trimEnd().split("\n").length <= 150]).toEqual([
        name,
        true,
      ]);
  });

  test.each([
    [[], "chat.tsx", "npm install @madang/react @madang/client"],
    [["--template", "expo"], "theme.tsx", "npx expo install react-native-svg"],
  ])("add copies the components alone, and says what they need: %j", async (options, file, words) => {
    const { output } = await run("add", "src/chat", ...options);
    expect(output).toContain(words);
    expect(existsSync(join(folder, "src/chat", file))).toBe(true);
    expect(await readdir(folder)).toEqual(["src"]);
  });

  test("packed packages take the place of those of npm", async () => {
    await mkdir(join(folder, "packed"));
    for (const name of ["client", "react"])
      await writeFile(join(folder, `packed/madang-${name}-0.1.0.tgz`), "");
    await run("page", "--packages", "packed");
    expect(JSON.parse(await read("page", "package.json")).dependencies).toMatchObject({
      "@madang/client": "file:packages/madang-client-0.1.0.tgz",
      "@madang/react": "file:packages/madang-react-0.1.0.tgz",
    });
    expect(existsSync(join(folder, "page/packages/madang-react-0.1.0.tgz"))).toBe(true);
  });

  test("nothing is written over, and nothing is guessed", async () => {
    await mkdir(join(folder, "taken"));
    await writeFile(join(folder, "taken/page.tsx"), "mine");
    for (const args of [
      ["taken"],
      ["add", "taken"],
      ["page", "--template", "angular"],
      ["page", "--packages", "."],
    ]) {
      const { code, output } = await run(...args);
      expect([args, code, output]).toEqual([
        args,
        1,
        expect.stringMatching(/not empty|no template|no packed/),
      ]);
    }
    expect(await readdir(join(folder, "taken"))).toEqual(["page.tsx"]);
    expect((await run()).output).toContain("npm create madang my-chat");
  });
});
