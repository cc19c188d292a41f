import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "@madang/examples/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "madang-guide-"));
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
  writeFileSync(
    join(folder, "madang"),
    `#!/bin/sh\nexec '${process.execPath}' '${root}/dist/main.js' "$@"\n`,
  );
  chmodSync(join(folder, "madang"), 0o755);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const env = () => ({
  PATH: [folder, process.env.PATH].join(delimiter),
  HOME: folder,
  MADANG_URL: server.url,
  MADANG_API_KEY: server.masterKey,
});

test("the samples of the guide run against a real server", async () => {
  const sample = join(root, "samples/command-line.sh");
  const { stdout, stderr } = await promisify(execFile)("sh", [sample], { cwd: folder, env: env() });
  expect(stdout).toMatch(/^kim_cli +Kim +team=blue/m);
  expect(stdout).toMatch(/^park_cli +박서준/m);
  expect(stdout).toContain("exit code 4");
  expect(stderr).toContain("(user_not_found, request ");
  const users = readFileSync(join(folder, "users.ndjson"), "utf8").trim().split("\n");
  expect(users.map((line) => JSON.parse(line).user_id)).toEqual(["park_cli", "kim_cli"]);
});

test("doctor finds everything in order, with the master key and with a sub key", async () => {
  const madang = (args: string[], given = {}) =>
    promisify(execFile)(join(folder, "madang"), args, { env: { ...env(), ...given } });
  expect((await madang(["doctor"])).stdout).toContain("master key");
  const { key } = JSON.parse((await madang(["keys", "create", "--json"])).stdout);
  expect((await madang(["doctor"], { MADANG_API_KEY: key })).stdout).toContain("sub key");
});
