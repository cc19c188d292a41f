import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

const run = promisify(execFile);

// In a process of its own, because the log is that of the process; the error is PostgreSQL's own, with a row in it.
const program = `
  import pg from "pg";
  import { createLogger } from "./src/process/logger.ts";
  const client = new pg.Client({ connectionString: process.env.URL });
  await client.connect();
  await client.query("CREATE TEMPORARY TABLE people (name text UNIQUE)");
  const insert = () => client.query("INSERT INTO people VALUES ('a-name-of-somebody')");
  await insert();
  const error = await insert().catch((thrown) => thrown);
  await client.end();
  if (!error.detail.includes("a-name-of-somebody")) throw new Error("PostgreSQL told no row.");
  const logger = createLogger("info");
  logger.error({ err: error }, "alone");
  logger.error({ err: new Error("Wrapped.", { cause: error }) }, "wrapped");
  logger.warn({ err: Object.assign(new Error("Idle."), { client }) }, "idle");
`;

test("what the log tells of an error of PostgreSQL holds its code and no row", async () => {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: new URL("../..", import.meta.url),
    env: { PATH: process.env.PATH, URL: inject("postgresUrl") },
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
  expect(stdout).not.toContain("a-name-of-somebody");
});
