import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { prepareInstallation } from "../../src/db/embedded/installation";
import { createDatabase, postgresUrl } from "../support/database";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { listening, program, type RunningProgram, runProgram } from "../support/program";
import { queryOnce } from "../support/query-once";

const postgres = await postgresUrl();

const running = new Set<RunningProgram>();
let temporary: PostgresFolder;
let folder: string;

beforeAll(async () => {
  temporary = await createPostgresFolder();
  folder = temporary.path;
});
afterEach(async () => {
  for (const server of running) await server.end("SIGTERM");
});
afterAll(() => temporary.remove());

function launch(words: string[], settings: Record<string, string>): RunningProgram {
  const server = runProgram(words, settings);
  running.add(server);
  void server.ended.then(() => running.delete(server));
  return server;
}

test.each([
  [["start"], { PORT: "eighty" }, "PORT must be"],
  [["start"], { DATABASE_URL: "postgresql://127.0.0.1:1/none" }, "MADANG_MASTER_KEY is missing"],
  [["start"], { MADANG_DATA_DIR: "/dev/null/data" }, "MADANG_DATA_DIR /dev/null/data cannot be created"],
  [["migrate"], {}, "DATABASE_URL is missing"],
  [["start"], { NODE_ENV: "production", DATABASE_URL: "" }, "DATABASE_URL is missing or empty"],
  [["serve"], {}, "unknown command 'serve'"],
  [[], {}, "a command is required"],
  [
    ["migrate"],
    { DATABASE_URL: "postgresql://madang:a/b@localhost/madang" },
    "DATABASE_URL is not a valid URL",
  ],
  [["start", "--fast"], {}, "unknown option '--fast'"],
  [["migrate", "--dry-run"], {}, "unknown option '--dry-run'"],
  [["migrate", "--status", "--erase", "erasures.jsonl"], {}, "cannot be used with option '--status'"],
  [["start", "--workers", "11"], {}, "--workers must be a number from 1 to 10"],
  [
    ["start", "--workers", "3"],
    { DATABASE_URL: "postgresql://127.0.0.1:1/none", MADANG_POOL_SIZE: "2" },
    "MADANG_POOL_SIZE must be at least 3",
  ],
  [["webhooks", "stop"], {}, "Allowed choices are pause, resume"],
  [["backup"], {}, "missing required argument 'file'"],
  [["restore", "monday.backup", "tuesday.backup"], {}, "too many arguments for 'restore'"],
  [["start"], { MADANG_POOLSIZE: "5" }, "MADANG_POOLSIZE is not a setting. Did you mean MADANG_POOL_SIZE?"],
  [["restore", "/no/monday.backup"], {}, "There is no file /no/monday.backup"],
])("madang-server %j with %j ends with one sentence and code 2", async (args, env, sentence) => {
  const { code, output } = await launch(args, env).ended;
  expect(code).toBe(2);
  expect(output).toContain(sentence);
  expect(output.trim().split("\n")).toHaveLength(1);
});

test("--help, the page of settings, .env.example and compose.yaml list the same settings", async () => {
  const { code, output } = await launch(["--help"], {}).ended;
  expect(code).toBe(0);
  const documented = [...output.matchAll(/^ {2}([A-Z0-9_]+)\n {6}(.{10,})$/gm)];
  expect(documented.length).toBeGreaterThan(10);
  const readPage = (page: string) => readFile(new URL(`../../../../${page}`, import.meta.url), "utf8");
  const compose = await readPage("compose.yaml");
  // Where the image listens and what it stores is not to be set.
  const fixed = ["PORT", "HOST", "MADANG_DATA_DIR", "DATABASE_URL_FILE", "MADANG_MASTER_KEY_FILE"];
  for (const [, name = ""] of documented)
    if (!fixed.includes(name)) expect(compose).toMatch(new RegExp(`^ {6}${name}:`, "m"));
  // The packages of OpenTelemetry read these themselves.
  for (const name of ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_SERVICE_NAME"])
    expect(compose).toMatch(new RegExp(`^ {6}${name}:`, "m"));
  const onPage = [...(await readPage("docs/settings.md")).matchAll(/^\| `([A-Z0-9_]+)`\s*\|/gm)];
  expect(onPage.map(([, name]) => name).toSorted()).toEqual(documented.map(([, name]) => name).toSorted());
  const example = await readPage(".env.example");
  for (const [, name, description] of documented)
    expect(example).toContain(`# ${description}
#${name}=`);
});

test("--version prints the version", async () => {
  const { code, output } = await launch(["--version"], {}).ended;
  expect(code).toBe(0);
  expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  ["a wrong password", 2, { password: "wrong-secret" }, /DATABASE_URL has a wrong user or password/],
  ["no password", 2, { password: "" }, /DATABASE_URL has a wrong user or password/],
  ["a database that does not exist", 2, { pathname: "/none" }, /DATABASE_URL names the database "none"/],
  [
    "a wrong port",
    1,
    { hostname: "127.0.0.1", port: "1" },
    /DATABASE_URL: .* 127\.0\.0\.1:1: nothing listens/,
  ],
  [
    "a wrong host",
    1,
    { hostname: "db.invalid" },
    /DATABASE_URL: .* db\.invalid:5432: the host was not found/,
  ],
])(
  "DATABASE_URL with %s: the message names the setting and shows no password",
  async (_what, exit, change, sentence) => {
    const url = Object.assign(new URL(postgres), change);
    const env = { DATABASE_URL: url.href, MADANG_MASTER_KEY: "mk_0123456789abcdef" };
    for (const command of ["start", "migrate"]) {
      const { code, output } = await launch([command], env).ended;
      expect(output).toMatch(sentence);
      expect(code).toBe(exit);
      for (const secret of [url.password, new URL(postgres).password].filter(Boolean))
        expect(output).not.toContain(secret);
    }
  },
);

test("without a password in DATABASE_URL, that in PGPASSWORD is used, and may contain any characters", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE ROLE slashed LOGIN PASSWORD 'a/b@c:d?#%'");
  onTestFinished(() => client.query("DROP ROLE slashed").then(() => client.end()));
  const DATABASE_URL = Object.assign(new URL(url), { username: "slashed", password: "" }).href;
  const status = (PGPASSWORD: string) =>
    launch(["migrate", "--status"], { DATABASE_URL, PGPASSWORD }).ended.then(({ output }) => output);
  expect(await status("wrong")).toContain("has a wrong user or password");
  expect(await status("a/b@c:d?#%")).toContain("permission denied for table _prisma_migrations");
});

test("a database with pending migrations is an error that names the command", async () => {
  const url = new URL(postgres);
  url.pathname = "/postgres";
  const env = { DATABASE_URL: url.href, MADANG_MASTER_KEY: "mk_0123456789abcdef" };
  const { code, output } = await launch(["start"], env).ended;
  expect(code).toBe(2);
  expect(output).toContain("Run madang-server migrate");
  const status = await launch(["migrate", "--status"], env).ended;
  expect(status.output).toMatch(/^0 applied, \d+ pending\npending 20261121000000_init\n/);
  expect(status.code).toBe(1);
});

test("a database that a newer version has migrated is an error that says so", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = { DATABASE_URL: url, MADANG_MASTER_KEY: "mk_0123456789abcdef" };
  expect((await launch(["migrate", "--status"], env).ended).output).toMatch(/^\d+ applied, 0 pending\n$/);
  await queryOnce(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('later', '', '90000101000000_later', now())`,
  );
  for (const args of [["start"], ["start", "--migrate"], ["migrate"]]) {
    const { code, output } = await launch(args, env).ended;
    expect(output).toContain("was migrated by a newer version of madang-server");
    expect(output).toContain("90000101000000_later");
    expect(code).toBe(2);
  }
});

test("a port in use ends the process with one sentence, and stops its database", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = other.address() as AddressInfo;
  const data = join(folder, "taken");
  const { code, output } = await launch(["start"], { MADANG_DATA_DIR: data, PORT: String(port) }).ended;
  other.close();
  // Not 2: it passes when the other program ends, so systemd tries again.
  expect(code).toBe(1);
  expect(output).toContain(`PORT ${port} is in use`);
  await expect(stat(join(data, "postgres", "data", "postmaster.pid"))).rejects.toThrow("ENOENT");
});

test.runIf(process.platform === "linux")(
  "a terminal that closes stops the server and its database",
  async () => {
    const data = join(folder, "hung-up");
    const terminal = spawn("script", ["-qec", `${process.execPath} ${program} start`, "/dev/null"], {
      env: { PATH: process.env.PATH, PORT: "0", MADANG_DATA_DIR: data },
    });
    let output = "";
    terminal.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output).toContain("is listening");
    const pidFile = join(data, "postgres", "data", "postmaster.pid");
    await stat(pidFile);
    // The server gets SIGHUP, and can write to its output no more.
    terminal.kill("SIGKILL");
    await expect.poll(() => stat(pidFile).catch(({ code }) => code)).toBe("ENOENT");
  },
);

test("the embedded database survives a restart and a kill, and the master key is kept private", async () => {
  const env = { MADANG_DATA_DIR: join(folder, "data") };
  const first = launch(["start"], env);
  await first.untilPrinted(listening);
  const key = (await readFile(join(folder, "data", "master-key"), "utf8")).trim();
  expect((await stat(join(folder, "data", "master-key"))).mode & 0o777).toBe(0o600);
  const call = async (server: RunningProgram, path: string, init: RequestInit = {}) => {
    const [, url = ""] = await server.untilPrinted(listening);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return fetch(url + path, { ...init, headers });
  };
  const created = await call(first, "/v1/users", {
    method: "POST",
    body: '{"user_id":"kim_01","name":"Kim"}',
  });
  expect(created.status).toBe(201);

  const second = launch(["start"], env);
  const { code, output } = await second.ended;
  expect(code).toBe(1);
  expect(output).toContain("is in use by another process");

  const { data } = await prepareInstallation(join(folder, "data", "postgres"));
  const [, , , , socketFolder = ""] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
  await first.end("SIGKILL");
  await expect(stat(socketFolder)).resolves.toBeTruthy();
  const third = launch(["start"], env);
  expect((await call(third, "/v1/users/kim_01")).status).toBe(200);
  await expect(stat(socketFolder)).rejects.toThrow("ENOENT");
  expect(await third.end("SIGINT")).toBe(0);

  const fourth = launch(["start"], env);
  expect((await call(fourth, "/v1/users/kim_01")).status).toBe(200);
});
