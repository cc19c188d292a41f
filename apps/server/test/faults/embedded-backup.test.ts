import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { report, rowOf, scale } from "../support/report";
import { masterKey } from "../support/server";
import { type Load, prepareLoad, startLoad } from "./load";

const program = new URL("../../dist/main.js", import.meta.url).pathname;
const writers = 8;
let ground: PostgresFolder;
let backup: string;
let load: Load;
let acknowledged: Pick<Load, "messages" | "channels" | "users">;
let key: string;
const children = new Set<ChildProcess>();

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(dataFolder: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "warn", MADANG_MASTER_KEY: masterKey };
  const child = spawn(process.execPath, [program, ...args], { env: { ...env, MADANG_DATA_DIR: dataFolder } });
  children.add(child);
  let output = "";
  const listening = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      const url = /"url":"(\S+?)","msg":"listening"/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("close", () => reject(new Error(output)));
  });
  listening.catch(() => undefined);
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, output })));
  return { child, listening, ended };
}

async function stop({ child, ended }: ReturnType<typeof run>): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}

beforeAll(async () => {
  ground = await createPostgresFolder();
  backup = join(ground.path, "madang.backup");
  const source = run(join(ground.path, "source"), "start");
  const url = await source.listening;
  await prepareLoad(url);
  key = (await call(url, "POST", "/v1/applications/keys", { body: { label: "billing" } })).body.key;
  load = startLoad({ url: () => url, writers });
  while (load.messages.length < scale(50, 2_000)) await sleep(20);
  acknowledged = {
    messages: [...load.messages],
    channels: [...load.channels],
    users: [...load.users],
  };
  const { code, output } = await run(join(ground.path, "source"), "backup", backup).ended;
  expect(output).toContain("madang.backup: ");
  expect(code).toBe(0);
  const { length } = load.messages;
  while (load.messages.length < length + 20) await sleep(20);
  await load.stop();
  await stop(source);
});
afterAll(async () => {
  // Also after a failure no process is left.
  for (const child of children) child.kill("SIGKILL");
  await ground.remove();
});

test("a backup taken under load contains every write that was acknowledged before it, once", async () => {
  const folder = join(ground.path, "target");
  const { code, output } = await run(folder, "restore", backup).ended;
  expect(output).toMatch(/Restored and verified: \d+ users, \d+ channels, \d+ messages/);
  expect(code).toBe(0);
  const postgres = await startEmbeddedPostgres(join(folder, "postgres"));
  const verdict = await checkData(postgres.url, { ...load, ...acknowledged });
  await postgres.stop();
  await report(rowOf("embedded database restored from a backup under load", writers, load, verdict));
  expect(verdict).toEqual({ lost: 0, duplicated: 0, violations: [] });
  const server = run(folder, "start");
  expect((await call(await server.listening, "GET", "/v1/users", { key })).status).toBe(200);
  await stop(server);
});

test("a backup is private, leaves no other file, and is never overwritten", async () => {
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect((await readdir(ground.path)).filter((name) => name.startsWith("madang.backup"))).toHaveLength(1);
  const { code, output } = await run(join(ground.path, "source"), "backup", backup).ended;
  expect([code, output]).toEqual([2, expect.stringContaining("exists already")]);
});

test("a stopped database is backed up too, and a restore keeps the database that it replaces", async () => {
  const folder = join(ground.path, "target");
  const second = join(ground.path, "second");
  expect((await run(folder, "backup", second).ended).code).toBe(0);
  const { output } = await run(folder, "restore", second).ended;
  const [, kept = ""] = /The database that was there is now in (.+)\.\n/.exec(output) ?? [];
  expect(await readFile(join(kept, "PG_VERSION"), "utf8")).toBe("18\n");
});

test("while the server runs, a restore is rejected", async () => {
  const folder = join(ground.path, "target");
  const server = run(folder, "start");
  await server.listening;
  const { code, output } = await run(folder, "restore", backup).ended;
  expect([code, output]).toEqual([1, expect.stringContaining("is in use by another process")]);
  await stop(server);
});

test.each([
  ["that ends too early", (file: string, size: number) => truncate(file, size - 9_000)],
  [
    // A single changed bit may unpack to the same content, in a long run of zeros.
    "with changed bytes",
    async (file: string, size: number) => {
      const bytes = await readFile(file);
      const middle = Math.floor(size / 2);
      await writeFile(file, bytes.fill(0xff, middle, middle + 64));
    },
  ],
  ["that is something else", (file: string) => writeFile(file, "not a backup")],
])("a backup %s is rejected and changes nothing", async (_what, damage) => {
  const folder = join(ground.path, "target");
  const damaged = join(ground.path, "damaged");
  await copyFile(backup, damaged);
  await damage(damaged, (await stat(damaged)).size);
  const names = await readdir(join(folder, "postgres"));
  const { code, output } = await run(folder, "restore", damaged).ended;
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("is not a complete backup; nothing was changed"),
  ]);
  expect(await readdir(join(folder, "postgres"))).toEqual(names);
});

test("without an embedded database there is nothing to back up", async () => {
  const { code, output } = await run(join(ground.path, "none"), "backup", join(ground.path, "third")).ended;
  expect([code, output]).toEqual([2, expect.stringContaining("There is no embedded database")]);
});
