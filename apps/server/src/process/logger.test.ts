import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { postgresUrl } from "../../test/support/database";

const postgres = await postgresUrl();

const run = promisify(execFile);

// In a child process, because the logger writes to standard output. The error comes from PostgreSQL and contains a row.
const program = `
  import pg from "pg";
  import { createLogger } from "./src/process/logger.ts";
  const client = new pg.Client({ connectionString: process.env.URL });
  await client.connect();
  await client.query("CREATE TEMPORARY TABLE people (name text UNIQUE)");
  const insert = () => client.query("INSERT INTO people VALUES ('a-secret-name')");
  await insert();
  const error = await insert().catch((thrown) => thrown);
  await client.end();
  if (!error.detail.includes("a-secret-name")) throw new Error("The error contains no row.");
  const logger = createLogger("info");
  logger.error({ err: error }, "alone");
  logger.error({ err: new Error("Wrapped.", { cause: error }) }, "wrapped");
  logger.warn({ err: Object.assign(new Error("Idle."), { client }) }, "idle");
`;

test("a logged PostgreSQL error has its code, but not the row", async () => {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: new URL("../..", import.meta.url),
    env: { PATH: process.env.PATH, URL: postgres },
  });
  const [alone, wrapped, idle] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(alone).toMatchObject({ msg: "alone", err: { code: "23505", constraint: "people_name_key" } });
  expect(wrapped).toMatchObject({ msg: "wrapped" });
  expect(wrapped.err.message).toContain("duplicate key");
  expect(idle.err).toMatchObject({ message: "Idle." });
  expect(idle.err).not.toHaveProperty("client");
  expect(stdout).not.toContain("a-secret-name");
});

// Standard output is first a device that is always full, then a file.
const fullProgram = `
  import { closeSync, openSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  import { createLogger, LogOutput } from "./src/process/logger.ts";
  const redirect = (path, flags) => {
    closeSync(1);
    if (openSync(path, flags) !== 1) throw new Error("Standard output has another descriptor.");
  };
  const output = new LogOutput();
  const logger = createLogger("info", output);
  redirect("/dev/full", "w");
  for (let line = 0; line < 6_000; line++) logger.info({ line }, "x".repeat(200));
  redirect(process.env.FILE, "a");
  // Without another line, they are written within a second.
  await sleep(2_000);
  logger.info({ dropped: output.droppedLines }, "end");
  // A disk that is full for a moment only delays lines.
  redirect("/dev/full", "w");
  logger.info("late");
  redirect(process.env.FILE, "a");
  logger.info("last");
`;

test.skipIf(process.platform !== "linux")(
  "a full disk delays the log; what is dropped is counted, and a line says so",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "madang-log-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "log");
    await run(process.execPath, ["--input-type=module", "--eval", fullProgram], {
      cwd: new URL("../..", import.meta.url),
      env: { PATH: process.env.PATH, FILE: file },
    });
    const lines = (await readFile(file, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const kept = lines.filter((each) => "line" in each);
    expect(kept.map(({ line }) => line)).toEqual(kept.map((_, index) => index));
    expect(kept.length).toBeGreaterThan(1_000);
    const dropped = 6_000 - kept.length;
    expect(dropped).toBeGreaterThan(0);
    expect(lines.slice(kept.length)).toMatchObject([
      { level: 40, lines: dropped },
      { msg: "end", dropped },
      { msg: "late" },
      { msg: "last" },
    ]);
  },
);
