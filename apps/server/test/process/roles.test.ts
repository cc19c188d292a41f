import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { holdConversation } from "../support/conversation";
import { postgresUrl } from "../support/database";
import { program, runProgram } from "../support/program";
import { queryOnce } from "../support/query-once";
import { masterKey } from "../support/server";

const postgres = await postgresUrl();

const guide = new URL("../../../../docs/guides/deploying.md", import.meta.url);
/** The names of the guide, and those of this test: in the tests, `madang` is a superuser. */
const names = { madang_owner: "owner_2", madang: "runner_2" };

beforeAll(() => queryOnce(urlOf(), `CREATE DATABASE ${names.madang}`));
afterAll(async () => {
  await queryOnce(urlOf(), `DROP DATABASE ${names.madang} WITH (FORCE)`);
  for (const role of Object.values(names)) await queryOnce(urlOf(), `DROP ROLE ${role}`);
});

test("with the two roles of the guide, one migrates, and the other serves everything", async () => {
  const [, asAdministrator = "", asOwner = ""] = await listStatements();
  await queryOnce(urlOf(undefined, names.madang), asAdministrator);
  const owner = urlOf(names.madang_owner, names.madang);
  await queryOnce(owner, asOwner);
  execFileSync(process.execPath, [program, "migrate"], {
    env: { PATH: process.env.PATH, DATABASE_URL: owner, MADANG_MASTER_KEY: masterKey },
  });
  // The start also adopts the events of another PostgreSQL, under a lock.
  await queryOnce(owner, "UPDATE event_ranges SET next_transaction_id = next_transaction_id + 1000000000");

  const runner = urlOf(names.madang, names.madang);
  const server = await startProcess(runner, { MADANG_RATE_LIMIT: "10000/60s", MADANG_METRICS_PORT: "0" });
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey, maxRetries: 0 });
  await holdConversation(chat);
  await expect.poll(() => countRows(runner), { timeout: 60_000, interval: 100 }).toBe(0);
  await server.end("SIGTERM");
  expect(server.problems()).toEqual([]);
  await expect(queryOnce(runner, "CREATE TABLE own (id bigint)")).rejects.toThrow("permission denied");
  await expect(queryOnce(runner, "CREATE TEMP TABLE own (id bigint)")).rejects.toThrow("permission denied");
});

test("the schema of the user has everything, and public has nothing", async () => {
  const database = "one_schema";
  await queryOnce(urlOf(), `CREATE DATABASE ${database}`);
  onTestFinished(async () => {
    await queryOnce(urlOf(), `DROP DATABASE ${database} WITH (FORCE)`);
    await queryOnce(urlOf(), "DROP ROLE tenant_1");
  });
  await queryOnce(
    urlOf(undefined, database),
    `CREATE ROLE tenant_1 LOGIN PASSWORD 'secret'; CREATE SCHEMA chat AUTHORIZATION tenant_1;
     ALTER ROLE tenant_1 SET search_path = chat; REVOKE ALL ON SCHEMA public FROM PUBLIC`,
  );
  const url = urlOf("tenant_1", database);
  const files = await mkdtemp(join(tmpdir(), "madang-files-"));
  onTestFinished(() => rm(files, { recursive: true }));
  const settings = { DATABASE_URL: url, MADANG_MASTER_KEY: masterKey, MADANG_FILES: `folder:${files}` };
  expect(await runProgram(["migrate"], settings).ended).toMatchObject({ code: 0 });
  const server = await startProcess(url, settings, ["--workers", "2"]);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey, maxRetries: 0 });
  await holdConversation(chat);
  await expect.poll(() => countRows(url), { timeout: 60_000, interval: 100 }).toBe(0);
  expect(await runProgram(["files", "check"], settings).ended).toMatchObject({ code: 0 });
  await server.end("SIGTERM");
  const [tables] = await queryOnce(
    urlOf(undefined, database),
    "SELECT count(*) FILTER (WHERE schemaname = 'chat') AS own, count(*) FILTER (WHERE schemaname = 'public') AS public FROM pg_tables",
  );
  expect(Number(tables?.own)).toBeGreaterThan(20);
  expect(Number(tables?.public)).toBe(0);

  await queryOnce(urlOf(undefined, database), "ALTER ROLE tenant_1 SET search_path = missing");
  for (const words of [["migrate"], ["start"]])
    expect(await runProgram(words, settings).ended).toEqual({
      code: 2,
      output: expect.stringContaining("none of those in its search_path exists"),
    });
});

/** What the background jobs remove. */
async function countRows(url: string): Promise<number> {
  const rows = await queryOnce(
    url,
    "SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM members) AS count",
  );
  return Number(rows[0]?.count);
}

/** The SQL of the guide, with other names. */
async function listStatements(): Promise<string[]> {
  const blocks = (await readFile(guide, "utf8")).matchAll(/^```sql\n([\s\S]*?)^```$/gm);
  const rename = (name: string) => Object.entries(names).find(([known]) => known === name)?.[1] ?? name;
  return [...blocks].map(([, sql = ""]) => sql.replaceAll(/\bmadang\w*/g, rename));
}

/** As administrator, unless a role is given. */
function urlOf(role?: string, database = "postgres"): string {
  const url = new URL(postgres);
  if (role !== undefined) [url.username, url.password] = [role, "secret"];
  url.pathname = `/${database}`;
  return url.href;
}
