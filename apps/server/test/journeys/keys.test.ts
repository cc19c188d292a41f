import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { startServer, startServerOn, type TestServer } from "../support/server";

let first: TestServer;
let second: TestServer;
beforeAll(async () => {
  first = await startServer();
  second = await startServerOn(first.databaseUrl);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

test("a sub key works in every process immediately, cannot manage keys, and is rejected everywhere a second after its deletion", async () => {
  const master = chatWith(first);
  const { key, created_at } = await master.keys.create();
  const [inFirst, inSecond] = [chatWith(first, key), chatWith(second, key)];
  await inSecond.users.create({ user_id: "sub_made", name: "Created with a sub key" });
  await expect(inFirst.users.get("sub_made")).resolves.toMatchObject({ user_id: "sub_made" });

  for (const manage of [
    () => inFirst.keys.list(),
    () => inSecond.keys.create(),
    () => inFirst.keys.delete(key),
  ])
    await expect(manage()).rejects.toMatchObject({ status: 403, code: "master_key_required" });
  await expect(master.keys.list()).resolves.toEqual([{ key, created_at }]);

  await master.keys.delete(key);
  await expect(inFirst.users.get("sub_made")).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  await sleep(1_000);
  await expect(inSecond.users.get("sub_made")).rejects.toMatchObject({
    status: 401,
    code: "unauthenticated",
  });
  await expect(master.keys.delete(key)).rejects.toMatchObject({ status: 404, code: "key_not_found" });
  expect(await master.keys.list()).toEqual([]);
});

test("no key is written to the log, or to the database in plain text", async () => {
  const master = chatWith(first);
  const { key } = await master.keys.create();
  await chatWith(first, key).users.list();
  await chatWith(first, `${key}x`)
    .users.get("sub_made")
    .catch(() => undefined);
  await fetch(`${first.url}/v1/users/${key}`, { headers: { authorization: `Bearer ${key}` } });
  const log = first.logLines.join("");
  expect(log).toContain("users.list");
  expect(log).not.toContain(key);
  const rows = await first.db.query<{ text: string }>({
    name: "test.dump",
    text: `SELECT encode(sealed, 'escape') || encode(digest, 'escape') || encode(sealed, 'base64') AS text FROM sub_keys`,
  });
  for (const { text } of rows) expect(text).not.toContain(key.slice(3, 20));
});
