import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { call } from "../support/call";
import { createDatabase, postgresUrl } from "../support/database";
import { canConnect } from "../support/ports";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { queryOnce } from "../support/query-once";

const postgres = await postgresUrl();

const root = new URL("../../../../", import.meta.url);
const hasShell = spawnSync("sh", ["-c", "openssl version"]).status === 0;

const hasIsReady = spawnSync("pg_isready", ["--version"]).status === 0;

let temporary: PostgresFolder;
let folder: string;
beforeAll(async () => {
  temporary = await createPostgresFolder();
  folder = temporary.path;
  await mkdir(join(folder, "bin"));
  const [install = ""] = await listBlocks("docs/guides/installing.md", "sh", "sudo ln -s");
  const commands = install.replace("sudo ", "").replace("/usr/local/bin", join(folder, "bin"));
  execFileSync("sh", ["-euc", commands], { cwd: root });
});
afterAll(() => temporary.remove());

// The commands need a shell and openssl.
describe.skipIf(!hasShell)("the commands for an existing PostgreSQL", () => {
  test.each(["docs/guides/deploying.md", "apps/server/README.md"])(
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
      const { host } = new URL(postgres);
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

// To create the database, the official image first starts PostgreSQL on a socket alone.
test.skipIf(!hasIsReady || (await canConnect(5432)))(
  "compose.yaml: PostgreSQL is healthy only when other containers can connect to it",
  async () => {
    const compose = await readFile(new URL("compose.yaml", root), "utf8");
    const [, check = ""] = /"CMD-SHELL", "(.+)"/.exec(compose) ?? [];
    const onSocket = await startEmbeddedPostgres(join(folder, "on-socket"));
    const isHealthy = (more: string) => {
      const env = { ...process.env, PGHOST: decodeURIComponent(new URL(onSocket.url).hostname) };
      return spawnSync("sh", ["-c", check + more], { env }).status === 0;
    };
    expect(isHealthy(' --host "$PGHOST"')).toBe(true);
    expect(isHealthy("")).toBe(false);
    await onSocket.stop();
  },
);

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
    const { url, stop } = await runCommands(commands, "headers");
    for (const header of ["x-api-key", "app_api_key", "x-other"]) {
      const { status } = await fetch(`${url}/v1/users`, { headers: { [header]: key } });
      expect([header, status]).toEqual([header, header === "x-other" ? 401 : 200]);
    }
    await stop();
  },
);

test.skipIf(!hasShell)(
  "keys and rotation: after the commands, the old and the new master key are accepted",
  async () => {
    const [commands = ""] = await listBlocks("docs/guides/keys-and-rotation.md", "sh");
    const old = "mk_only-for-tests-0123456789";
    const first = await runCommands(`export MADANG_MASTER_KEY=${old}\nmadang-server start`, "rotated");
    await first.stop();
    const shown = `echo "new: $MADANG_MASTER_KEY"`;
    const changed = commands.replace("madang-server start", `${shown}\nmadang-server start`);
    const { url, output, stop } = await runCommands(`export MADANG_MASTER_KEY=${old}\n${changed}`, "rotated");
    const [, fresh = ""] = /new: (\S+)/.exec(output()) ?? [];
    for (const key of [old, fresh]) {
      const { status } = await fetch(`${url}/v1/applications/keys`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(status).toBe(200);
    }
    await stop();
  },
);

test.skipIf(!hasShell)("keys and rotation: the master key of an embedded database is replaced", async () => {
  const [, change = "", end = ""] = await listBlocks("docs/guides/keys-and-rotation.md", "sh");
  const keyFile = join(folder, ".madang/master-key");
  await (await runCommands("madang-server start")).stop();
  const old = (await readFile(keyFile, "utf8")).trim();
  const statusesOf = (url: string, keys: readonly string[]) =>
    Promise.all(
      keys.map(async (key) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await fetch(`${url}/v1/applications/keys`, { headers })).status;
      }),
    );
  const shown = change.replace("madang-server start", 'echo "new: $MADANG_MASTER_KEY"\nmadang-server start');
  const both = await runCommands(shown);
  const [, fresh = ""] = /new: (\S+)/.exec(both.output()) ?? [];
  expect(await statusesOf(both.url, [old, fresh])).toEqual([200, 200]);
  await both.stop();
  const after = await runCommands(`export MADANG_MASTER_KEY=${fresh}\n${end}`);
  expect(await statusesOf(after.url, [old, fresh])).toEqual([401, 200]);
  await after.stop();
  expect((await readFile(keyFile, "utf8")).trim()).toBe(fresh);
});

test.skipIf(!hasShell)(
  "keys and rotation: without the old master key, the database accepts a new one",
  async () => {
    const [statements = ""] = await listBlocks("docs/guides/keys-and-rotation.md", "sql");
    const { url, drop } = await createDatabase();
    const start = (key: string) =>
      runCommands(
        `export DATABASE_URL=${url} MADANG_PUSH_CONTACT=mailto:operator@example.com\nexport MADANG_MASTER_KEY=${key}\nmadang-server start`,
      );
    const [lost, user] = ["mk_the-one-that-was-lost", { user_id: "kim_0001", name: "Kim" }];
    const first = await start(lost);
    await call(first.url, "POST", "/v1/users", { key: lost, body: user });
    const devices = "/v1/users/kim_0001/devices";
    const registered = await call(first.url, "PUT", `${devices}/phone`, { key: lost, body: browser });
    expect(registered.status).toBe(200);
    await first.stop();
    await expect(start("mk_the-one-that-is-new")).rejects.toThrow(
      "The master key is not that of this database",
    );
    await execute(statements, url);
    const second = await start("mk_the-one-that-is-new");
    const { body } = await call(second.url, "GET", devices, { key: "mk_the-one-that-is-new" });
    expect(body).toEqual({ devices: [] });
    await second.stop();
    await drop();
  },
);

test.skipIf(!hasShell)("backup and restore: the commands for the embedded database", async () => {
  const [backUp = ""] = await listBlocks("docs/backup.md", "sh", "madang-server backup");
  const [restore = ""] = await listBlocks("docs/backup.md", "sh", "madang-server restore");
  const run = (commands: string, dataFolder: string) =>
    execFileSync("sh", ["-euc", commands], { cwd: folder, env: environment(dataFolder), encoding: "utf8" });
  const { stop } = await runCommands("madang-server start", "backed-up");
  run(backUp, "backed-up");
  await stop();
  expect(run(restore, "backed-up")).toContain("Restored and verified: 0 users, 0 channels, 0 messages");
  await (await runCommands("madang-server start", "backed-up")).stop();

  // On a new machine. The server does not create another master key.
  const keyFile = join(folder, "restored/master-key");
  expect(run(restore, "restored")).toContain(keyFile);
  const start = () => runCommands("madang-server start", "restored");
  await expect(start()).rejects.toThrow(`The file ${keyFile} is missing`);
  expect(await readdir(join(folder, "restored"))).not.toContain("master-key");
  await copyFile(join(folder, "backed-up/master-key"), keyFile);
  await (await start()).stop();
});

const browser = {
  provider: "webpush",
  endpoint: "https://8.8.8.8/push/1",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
};

async function listBlocks(page: string, language: "sh" | "sql", prefix = ""): Promise<string[]> {
  const text = await readFile(new URL(page, root), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "")
    .filter((code) => code.startsWith(prefix));
}

/** Runs commands, the last of which starts the server on a free port. */
async function runCommands(commands: string, dataFolder = ".madang") {
  const installed = commands.replace("npm install --global @madang/server\n", "");
  const shell = spawn("sh", ["-euc", installed], {
    cwd: folder,
    env: environment(dataFolder),
    // A separate process group, which gets SIGINT like from Ctrl-C in a terminal.
    detached: true,
  });
  const ended = new Promise((resolve) => shell.once("close", resolve));
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk;
      const [found] = /http:\/\/127[\d.]+:\d+/.exec(output) ?? [];
      if (output.includes('"listening"') && found !== undefined) resolve(found);
    };
    shell.stdout.on("data", onData);
    shell.stderr.on("data", onData);
    shell.once("close", () => reject(new Error(`The commands ended:\n${output}`)));
  });
  return {
    url,
    output: () => output,
    async stop() {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGINT");
      await ended;
    },
  };
}

function environment(dataFolder: string): Record<string, string> {
  const PATH = `${join(folder, "bin")}:${process.env.PATH}`;
  return { PATH, PORT: "0", LOG_LEVEL: "warn", MADANG_DATA_DIR: dataFolder };
}

/** As administrator of the PostgreSQL of the tests, unless another database is given. */
async function execute(sql: string, database?: string): Promise<void> {
  const administrator = Object.assign(new URL(postgres), { pathname: "/postgres" });
  await queryOnce(database ?? administrator, sql);
}
