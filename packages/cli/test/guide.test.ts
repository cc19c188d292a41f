import { execFile } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startTestServer } from "./support/server";

const root = join(import.meta.dirname, "..");
const folder = createFolder();
const server = await startTestServer();
writeFileSync(join(folder, "madang"), `#!/bin/sh\nexec '${process.execPath}' '${root}/dist/main.js' "$@"\n`);
chmodSync(join(folder, "madang"), 0o755);

const env = { ...server.env, PATH: [folder, process.env.PATH].join(delimiter), HOME: folder };

test("the samples of the guide run against a real server", async () => {
  const sample = join(root, "samples/command-line.sh");
  const { stdout, stderr } = await promisify(execFile)("sh", [sample], { cwd: folder, env });
  expect(stdout).toMatch(/^kim_cli +Kim +team=blue/m);
  expect(stdout).toMatch(/^park_cli +박서준/m);
  expect(stdout).toMatch(/created +1\nupdated +1\nunchanged +0\nrejected +0\n/);
  expect(stdout).toContain("exit code 4");
  expect(stderr).toContain("(user_not_found, request ");
  const users = readFileSync(join(folder, "users.ndjson"), "utf8").trim().split("\n");
  expect(users.map((line) => JSON.parse(line).user_id)).toEqual(["park_cli", "kim_cli"]);
});

test("doctor finds everything in order, with the master key and with a sub key", async () => {
  const madang = (args: string[], given = {}) =>
    promisify(execFile)(join(folder, "madang"), args, { env: { ...env, ...given } });
  expect((await madang(["doctor"])).stdout).toContain("master key");
  const { key } = JSON.parse((await madang(["keys", "create", "--json"])).stdout);
  expect((await madang(["doctor"], { MADANG_API_KEY: key })).stdout).toContain("sub key");
});
