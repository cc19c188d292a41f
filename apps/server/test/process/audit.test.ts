import { readFile } from "node:fs/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { call } from "../support/call";
import { createDatabase } from "../support/database";

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
