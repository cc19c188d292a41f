import { copyFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { listening, type RunningProgram, runProgram } from "../support/program";
import { report, rowOf, scale } from "../support/report";
import { masterKey } from "../support/server";
import { type Load, prepareLoad, startLoad } from "./load";

const writers = 8;
let ground: PostgresFolder;
let backup: string;
let load: Load;
let acknowledged: Pick<Load, "messages" | "channels" | "users">;
let key: string;
const programs = new Set<RunningProgram>();

function run(dataFolder: string, ...words: string[]): RunningProgram {
  const settings = { LOG_LEVEL: "warn", MADANG_MASTER_KEY: masterKey, MADANG_DATA_DIR: dataFolder };
  const running = runProgram(words, settings);
  programs.add(running);
  return running;
}

const urlOf = async ({ untilPrinted }: RunningProgram) => (await untilPrinted(listening))[1] ?? "";

beforeAll(async () => {
  ground = await createPostgresFolder();
  backup = join(ground.path, "madang.backup");
  const source = run(join(ground.path, "source"), "start");
  const url = await urlOf(source);
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
  await source.end("SIGTERM");
});
afterAll(async () => {
  // Also after a failure no process is left.
  for (const running of programs) await running.end("SIGKILL");
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
  expect((await call(await urlOf(server), "GET", "/v1/users", { key })).status).toBe(200);
  await server.end("SIGTERM");
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
  await urlOf(server);
  const { code, output } = await run(folder, "restore", backup).ended;
  expect([code, output]).toEqual([1, expect.stringContaining("is in use by another process")]);
  await server.end("SIGTERM");
});

test("a restore stops the database that a killed server left running, and the server starts after it", async () => {
  const folder = join(ground.path, "target");
  const killed = run(folder, "start");
  await urlOf(killed);
  await killed.end("SIGKILL");
  expect((await run(folder, "restore", backup).ended).code).toBe(0);
  const server = run(folder, "start");
  expect((await call(await urlOf(server), "GET", "/v1/users", { key })).status).toBe(200);
  await server.end("SIGTERM");
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
