import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Server, startServer } from "@madang/examples/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked } from "./support/install-packed";

// Real paths: Node finds what a package depends on beside its real folder.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "madang-installed-")));
let madang = "";
let madangServer = "";
let server: Server;
beforeAll(async () => {
  // As root, the server runs PostgreSQL as another user, who needs access.
  chmodSync(folder, 0o755);
  const [cli = "", installed = ""] = installPacked(
    ["packages/cli", "apps/server", "packages/contract"],
    folder,
  );
  madang = join(cli, "dist/main.js");
  madangServer = join(installed, "dist/main.js");
  server = await startServer({}, madangServer);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the installed command as a person who has only logged in: no key is in the environment. */
async function run(args: readonly string[], input = "") {
  const env = { PATH: process.env.PATH, HOME: folder };
  const child = spawn(process.execPath, [madang, ...args], { cwd: folder, env });
  child.stdin.end(input);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect([args[0], exitCode, exitCode === 0 ? "" : output.stderr]).toEqual([args[0], 0, ""]);
  return output;
}

const runJson = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).stdout);

test("the packed command logs in to the packed server, and doctor finds everything in order", async () => {
  const { stderr } = await run(["login", "--url", server.url], `${server.masterKey}\n`);
  expect(stderr).toContain(`a master key of ${server.url}`);
  const { stdout } = await run(["doctor", "--json"]);
  const checks = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("it runs operations of the contract", async () => {
  expect(await runJson("users", "create", "kim_01", "--name", "김민준")).toMatchObject({ name: "김민준" });
  await runJson("channels", "create", "lunch_01", "--name", "Lunch", "--members", "kim_01");
  await run(["messages", "send", "lunch_01", "kim_01", "--type", "text", "--content", "점심 먹을까요?"]);
  expect(await runJson("members", "list", "lunch_01")).toMatchObject({ user_id: "kim_01" });
});

test("it imports a history, exports everything, verifies the export and imports nothing twice", async () => {
  mkdirSync(join(folder, "moved"));
  const messages = Array.from({ length: 1_200 }, (_, index) => ({
    channel_id: "lunch_01",
    external_id: `old-${index}`,
    user_id: index % 2 === 0 ? "kim_01" : "park_03",
    content: `메시지 ${index}`,
    created_at: 1_600_000_000_000 + index,
  }));
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  writeFileSync(join(folder, "moved/messages.ndjson"), lines);
  expect(await runJson("import", "moved")).toMatchObject({ users: 1, messages: 1_200 });
  expect(await runJson("export", "--all", "--out", "backup")).toMatchObject({
    users: 2,
    channels: 1,
    members: 1,
    messages: 1_201,
  });
  const { files } = JSON.parse(readFileSync(join(folder, "backup/manifest.json"), "utf8"));
  expect(files).toHaveLength(6);
  expect(await runJson("verify", "backup")).toMatchObject({ damaged: 0, different: 0 });
  expect(await runJson("import", "moved")).toMatchObject({ users: 0, messages: 0, skipped: 1_200 });
});

test("the packed server prints its version, backs up its database and restores it on another machine", () => {
  const runServer = (args: readonly string[], data: string) =>
    execFileSync(process.execPath, [madangServer, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, MADANG_DATA_DIR: data },
      encoding: "utf8",
    });
  expect(runServer(["--version"], "none")).toMatch(/^\d+\.\d+\.\d+\n$/);
  runServer(["backup", "packed.backup"], server.env.HOME ?? "");
  const restored = runServer(["restore", "packed.backup"], join(folder, "another"));
  expect(restored).toContain("Restored and verified: 2 users, 1 channels, 1201 messages");
});

test("the guide packs what the server needs, under the names that it installs", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/installing.md"), "utf8");
  expect(guide).toContain(
    'npx pnpm --filter @madang/server --filter @madang/contract pack --pack-destination "$PWD"\n',
  );
  const [, files = ""] = /^sudo npm install --global (.+)$/m.exec(guide) ?? [];
  expect(files.split(" ").map((file) => existsSync(join(folder, file)))).toEqual([true, true]);
});
