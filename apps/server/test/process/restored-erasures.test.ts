import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { program } from "../support/program";
import { masterKey } from "../support/server";

const run = (url: string, ...words: string[]) =>
  execFileSync(process.execPath, [program, ...words], { env: { DATABASE_URL: url }, encoding: "utf8" });

// The commands of docs/guides/erase-a-person.md.
test("a backup that is older than the erasures is clean before a server uses it", async () => {
  const original = await createDatabase();
  onTestFinished(original.drop);
  const server = await startProcess(original.url);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  for (const user_id of ["gone", "kept", "other"])
    await chat.users.create({ user_id, name: `MARKED ${user_id}` });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["gone", "kept", "other"] });
  for (const user_id of ["gone", "kept", "other"])
    await chat.messages.send("room_1", { user_id, type: "text", content: `Text of ${user_id}` });

  const name = new URL(original.url).pathname.slice(1);
  const administrator = new pg.Client({
    connectionString: Object.assign(new URL(original.url), { pathname: "/postgres" }).href,
  });
  await administrator.connect();
  await server.end("SIGTERM");
  await administrator.query(`CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
  onTestFinished(async () => {
    await administrator.query(`DROP DATABASE ${name}_copy WITH (FORCE)`);
    await administrator.end();
  });
  const copyUrl = Object.assign(new URL(original.url), { pathname: `/${name}_copy` }).href;

  const again = await startProcess(original.url);
  const privacy = new ChatClient({ baseUrl: again.url, apiKey: masterKey });
  await privacy.privacy.erase({ user_id: "gone", messages: "erase" });
  await privacy.privacy.erase({ user_id: "kept", messages: "keep" });
  // Of another user with an id that the copy does not know yet.
  await privacy.users.create({ user_id: "later", name: "Later" });
  const { erasure_id } = await privacy.privacy.erase({ user_id: "later", messages: "erase" });
  await expect.poll(async () => (await privacy.privacy.get(erasure_id)).status).toBe("done");
  await again.end("SIGTERM");
  const folder = await mkdtemp(join(tmpdir(), "madang-erasures-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "erasures.jsonl");
  await writeFile(file, run(original.url, "erasures"));

  // In the copy, an id that is erased belongs to a user that came after the erasure.
  const copy = new pg.Client({ connectionString: copyUrl });
  await copy.connect();
  await copy.query(
    "INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('later', 'Stays', $1, $1)",
    [Date.now() + 60_000],
  );
  expect(run(copyUrl, "migrate", "--erase", file)).toContain("3 of 3 erasures were repeated.");
  expect(run(copyUrl, "migrate", "--erase", file)).toContain("0 of 3 erasures were repeated.");
  const { rows } = await copy.query(
    `SELECT user_id, name, content FROM users LEFT JOIN messages ON sender_pk = users.pk ORDER BY users.pk`,
  );
  expect(rows).toEqual([
    { user_id: "~deleted", name: "Deleted user", content: null },
    { user_id: "~deleted", name: "Deleted user", content: "Text of kept" },
    { user_id: "other", name: "MARKED other", content: "Text of other" },
    { user_id: "later", name: "Stays", content: null },
  ]);
  await copy.end();
  expect(run(copyUrl, "erasures")).toBe(run(original.url, "erasures"));
});

test("a file that is not the output of madang-server erasures changes nothing", async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const folder = await mkdtemp(join(tmpdir(), "madang-erasures-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "erasures.jsonl");
  await writeFile(
    file,
    '{"erasure_id": "era_1", "user_id": "gone", "messages": "erase", "created_at": 1}\n{}\n',
  );
  expect(() => run(database.url, "migrate", "--erase", file)).toThrow(/Line 2 of .* is not an erasure/);
  expect(() => run(database.url, "migrate", "--erase", join(folder, "none"))).toThrow(/There is no file/);
  expect(run(database.url, "erasures")).toBe("");
});
