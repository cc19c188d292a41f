import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
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
