import { spawn, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";

const root = new URL("../../../../", import.meta.url);
const program = new URL("../../dist/main.js", import.meta.url).pathname;
const hasShell = spawnSync("sh", ["-c", "openssl version"]).status === 0;

let temporary: PostgresFolder;
let folder: string;
beforeAll(async () => {
  temporary = await createPostgresFolder();
  folder = temporary.path;
  // Replaces `npm install --global @madang/server`.
  const command = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/madang-server"), command, { mode: 0o755 });
});
afterAll(() => temporary.remove());

// The commands need a shell and openssl.
describe.skipIf(!hasShell)("the commands for an existing PostgreSQL", () => {
  test.each(["docs/guides/deploying.md", "README.md", "apps/server/README.md"])(
    "%s: an empty database of an unprivileged user is migrated and served",
    async (page) => {
      const [statements = ""] = await listBlocks("docs/guides/deploying.md", "sql");
      const blocks = await listBlocks(page, "sh");
      const [commands = "", ...others] = blocks.filter((block) => block.includes("madang-server migrate"));
      expect(others).toEqual([]);
      const exampleUrl = "postgresql://madang:secret@db.internal:5432/madang";
      expect(commands).toContain(exampleUrl);
      // In the tests, `madang` is a superuser, so the statements use another name.
      for (const statement of statements.trim().split("\n"))
        await execute(statement.replaceAll("madang", "owner_1"));
      const { host } = new URL(inject("postgresUrl"));
      const { url, stop } = await runCommands(
        commands.replace(exampleUrl, `postgresql://owner_1:secret@${host}/owner_1`),
      );
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      await stop();
      await execute("DROP DATABASE owner_1");
      await execute("DROP ROLE owner_1");
    },
  );
});

test.skipIf(!hasShell)("the README of the server: without DATABASE_URL it starts a database", async () => {
  const [commands = ""] = await listBlocks("apps/server/README.md", "sh");
  expect(commands).not.toContain("DATABASE_URL");
  const { url, stop } = await runCommands(commands);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await stop();
});

test.skipIf(!hasShell)(
  "coming from a hosted service: a key is accepted in the configured headers",
  async () => {
    const [setting = ""] = await listBlocks("docs/guides/coming-from-a-hosted-service.md", "sh");
    const key = "mk_only-for-tests-0123456789";
    const commands = `export MADANG_MASTER_KEY=${key}\n${setting}\nmadang-server start`;
    const { url, stop } = await runCommands(commands);
    for (const header of ["x-api-key", "app_api_key", "x-other"]) {
      const { status } = await fetch(`${url}/v1/users`, { headers: { [header]: key } });
      expect([header, status]).toEqual([header, header === "x-other" ? 401 : 200]);
    }
    await stop();
  },
);

async function listBlocks(page: string, language: "sh" | "sql"): Promise<string[]> {
  const text = await readFile(new URL(page, root), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "");
}

/** Runs commands, the last of which starts the server on a free port. Returns its URL. */
async function runCommands(commands: string): Promise<{ url: string; stop(): Promise<void> }> {
  const installed = commands.replace("npm install --global @madang/server\n", "");
  const shell = spawn("sh", ["-euc", installed], {
    cwd: folder,
    env: { PATH: `${join(folder, "bin")}:${process.env.PATH}`, PORT: "0", LOG_LEVEL: "warn" },
    // A separate process group, which gets SIGINT like from Ctrl-C in a terminal.
    detached: true,
  });
  const ended = new Promise((resolve) => shell.once("close", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    const onData = (chunk: Buffer) => {
      output += chunk;
      const [found] = /http:\/\/127[\d.]+:\d+/.exec(output) ?? [];
      if (output.includes("Try it") && found !== undefined) resolve(found);
    };
    shell.stdout.on("data", onData);
    shell.stderr.on("data", onData);
    shell.once("close", () => reject(new Error(`The commands ended:\n${output}`)));
  });
  return {
    url,
    async stop() {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGINT");
      await ended;
    },
  };
}

async function execute(sql: string): Promise<void> {
  const url = new URL(inject("postgresUrl"));
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(sql);
  await client.end();
}
