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

test("a sub key works on every process at once, manages no keys, and is refused everywhere a second after its end", async () => {
  const master = chatWith(first);
  const { key, created_at } = await master.keys.create();
  const [here, there] = [chatWith(first, key), chatWith(second, key)];
  await there.users.create({ user_id: "sub_made", name: "Made with a sub key" });
  await expect(here.users.get("sub_made")).resolves.toMatchObject({ user_id: "sub_made" });

  for (const refused of [() => here.keys.list(), () => there.keys.create(), () => here.keys.delete(key)])
    await expect(refused()).rejects.toMatchObject({ status: 403, code: "master_key_required" });
  await expect(master.keys.list()).resolves.toEqual([{ key, created_at }]);

  await master.keys.delete(key);
  await expect(here.users.get("sub_made")).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  await sleep(1_000);
  await expect(there.users.get("sub_made")).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  await expect(master.keys.delete(key)).rejects.toMatchObject({ status: 404, code: "key_not_found" });
  expect(await master.keys.list()).toEqual([]);
});

test("no key is ever written to the log, nor stands in the database as it is", async () => {
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
