import { spawnSync } from "node:child_process";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { program } from "../support/program";

// The command of docs/guides/audit-log.md.
test("a running server chains its entries, and removes those that are too old; audit verify finds what was altered", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const verify = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "audit", "verify", ...words], {
      env: { DATABASE_URL: url },
      encoding: "utf8",
    });
    return `${status} ${stdout}${stderr}`;
  };
  const first = await startProcess(url);
  for (let count = 1; count <= 3; count++)
    await call(first.url, "POST", "/v1/users", { body: { user_id: `user_${count}`, name: "Kim" } });
  await expect
    .poll(() => verify(), { interval: 500 })
    .toMatch(/^0 The audit log is intact: 3 entries, 1 to 3\.\nIts end: 3:/);
  await first.end("SIGTERM");
  const [, end = ""] = /Its end: (\S+)/.exec(verify()) ?? [];
  expect(verify(end)).toMatch(/^0 The audit log is intact/);
  expect(verify(end.replace("3:", "4:"))).toMatch(/^1 Entry 4, which was noted, is missing\./);
  expect(verify("3")).toMatch(/^2 madang-server: The end must have the form/);

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const shift = (number: number, days: number) =>
    client.query("UPDATE audit_entries SET at = at + $2::bigint * 86400000 WHERE number = $1", [
      number,
      days,
    ]);
  await shift(2, -3);
  expect(verify()).toMatch(/^1 Entry 2 does not match its hash/);
  await shift(2, 3);
  expect(verify()).toMatch(/^0 /);

  await shift(1, -3);
  const second = await startProcess(url, { MADANG_AUDIT_DAYS: "2" });
  await expect
    .poll(() => verify(), { interval: 500 })
    .toMatch(/^0 The audit log is intact: 2 entries, 2 to 3\./);
  const { body } = await call(second.url, "GET", "/v1/audit");
  expect(body.entries.map((entry: { user_id: string }) => entry.user_id)).toEqual(["user_3", "user_2"]);
  await second.end("SIGTERM");
});
