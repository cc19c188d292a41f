import { cp, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/db/connection/with-connection";
import { migrate } from "../../src/db/migrations/migrate";
import { migrationsFolder } from "../../src/db/migrations/migrations";
import { startProcess } from "../faults/process";
import { call } from "../support/call";
import { createDatabase, postgresUrl } from "../support/database";
import { addMigrations } from "../support/migrations";

// The statement of docs/guides/audit-log.md.
test("the entries after the last one that was shipped are found, and a running server removes those that are too old", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const first = await startProcess(url);
  for (let count = 1; count <= 3; count++)
    await call(first.url, "POST", "/v1/users", { body: { user_id: `user_${count}`, name: "Kim" } });
  const { body: page } = await call(first.url, "GET", "/v1/audit");
  await first.end("SIGTERM");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const guide = await readFile(new URL("../../../../docs/guides/audit-log.md", import.meta.url), "utf8");
  const [, statement = ""] = /```sql\n([^`]+)```/.exec(guide) ?? [];
  const ship = async (last: number) =>
    (await client.query(statement.replaceAll(":last", String(last)))).rows.map(({ row_to_json: row }) => row);
  expect(await ship(0)).toEqual([]);
  await client.query("UPDATE audit_entries SET at = at - 60000");
  const shipped = await ship(0);
  expect(shipped.map(({ number, user_id: id }) => [String(number), id])).toEqual(
    page.entries.map((entry: Record<string, string>) => [entry.entry_id, entry.user_id]).reverse(),
  );
  expect(await ship(shipped[1].number)).toEqual([shipped[2]]);
  // The clock was set back after the second entry: one that is left out now must not have a lower number than one that is shipped.
  await client.query("UPDATE audit_entries SET at = at + 300000 WHERE user_id = 'user_2'");
  expect(await ship(0)).toEqual([shipped[0]]);
  await client.query("UPDATE audit_entries SET at = at - 300000 WHERE user_id = 'user_2'");

  await client.query("UPDATE audit_entries SET at = at - 3 * 86400000::bigint WHERE user_id = 'user_1'");
  const second = await startProcess(url, { MADANG_AUDIT_DAYS: "2" });
  await expect
    .poll(async () => (await ship(0)).map(({ user_id: id }) => id), { interval: 500 })
    .toEqual(["user_2", "user_3"]);
  await second.end("SIGTERM");
});

test("queued and chained entries of the version before are in the log, also those that its processes write meanwhile", async () => {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const folder = await addMigrations({});
  const remove = async (end: string) => {
    const [own = ""] = (await readdir(folder)).filter((name) => name.endsWith(end));
    await rm(join(folder, own), { recursive: true });
    return join(folder, own);
  };
  // The queue is gone once no process of the version before runs.
  await remove("_only_for_the_version_before");
  const own = await remove("_audit_entries_of_changes");
  await migrate(url, { folder });
  await cp(join(migrationsFolder, basename(own)), own, { recursive: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const chained = `INSERT INTO audit_entries (number, at, operation, method, status, kind, address, user_id, hash)
    SELECT number, (extract(epoch FROM now()) * 1000)::bigint - 86400000 + number, 'users.create', 'POST', 201, 'master', '::1', 'chained_' || number, '' FROM generate_series(1, 3) number`;
  await client.query(chained);
  await client.query("INSERT INTO audit_chains VALUES (1, 3, '', 0, '')");
  let count = 0;
  const queue = () => {
    count += 1;
    const entry = { operation: "messages.send", method: "POST", status: 201, kind: "sub", key_id: "key_1" };
    return client.query(
      `WITH effect AS (SELECT $1::bigint AS "sentAt", $2::bigint AS "messagePk") INSERT INTO queued_audit_entries
        (entry, channel_id, message_created_at, message_pk) SELECT $3::json, NULL::text, "sentAt", "messagePk" FROM effect`,
      [5, count, JSON.stringify({ ...entry, address: "::1", user_id: "kim_01", channel_id: "room_1" })],
    );
  };
  for (let index = 0; index < 20; index++) await queue();
  let isMigrated = false;
  const migrating = migrate(url, { folder }).then(() => {
    isMigrated = true;
  });
  while (!isMigrated) await queue();
  await migrating;
  for (let index = 0; index < 20; index++) await queue();
  const { rows } = await client.query("SELECT count(*)::integer AS left FROM queued_audit_entries");
  expect(rows).toEqual([{ left: 0 }]);
  await migrate(url);
  const server = await startProcess(url);
  const found: Record<string, string>[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const query: string = next === "" ? "" : `?next=${next}`;
    const { body } = await call(server.url, "GET", `/v1/audit${query}`);
    found.push(...body.entries);
    next = body.next;
  }
  await server.end("SIGTERM");
  expect(found.map((entry) => entry.message_id ?? entry.user_id).reverse()).toEqual([
    ...[1, 2, 3].map((number) => `chained_${number}`),
    ...Array.from({ length: count }, (_, index) => `5-${index + 1}`),
  ]);
  expect(found[0]).toMatchObject({ operation: "messages.send", channel_id: "room_1", key_id: "key_1" });
  expect(new Set(found.map((entry) => entry.entry_id)).size).toBe(found.length);
});

async function createEmptyDatabase() {
  const administrator = new URL(await postgresUrl());
  administrator.pathname = "/postgres";
  const name = `audit_${process.pid}`;
  const run = (sql: string) => withConnection(administrator.href, (client) => client.query(sql));
  await run(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(administrator), { pathname: `/${name}` }).href;
  return { url, drop: async () => void (await run(`DROP DATABASE ${name} WITH (FORCE)`)) };
}
