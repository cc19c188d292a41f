import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";

const folder = createFolder();

test("verify checks the files where no server is configured, and names the two servers that it compares", async () => {
  const dir = join(folder, "exported");
  mkdirSync(dir);
  const server = "http://chat.example.com";
  const manifest = { version: 1, format: "ndjson", server, exported_at: 1, files: [], missing_channels: [] };
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  const HOME = folder;
  const alone = await runInMemory(["verify", dir, "--json"], { env: { HOME } });
  expect(alone).toEqual({
    exitCode: 0,
    stdout: '{"files":0,"rows":0,"damaged":0}\n',
    stderr: "No server is configured: only the files were checked.\n",
  });
  const env = { HOME, MADANG_URL: "http://127.0.0.1:1", MADANG_API_KEY: "mk_only-for-tests-0123456789" };
  expect(await runInMemory(["verify", dir, "--json"], { env })).toEqual({
    exitCode: 0,
    stdout: '{"files":0,"rows":0,"damaged":0,"different":0}\n',
    stderr: `${dir} is an export of ${server}. It is compared with http://127.0.0.1:1.\n`,
  });
});
