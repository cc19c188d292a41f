import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { masterKey, readMetrics, startServer, startServerOn } from "../support/server";

const clock = { now: Date.now() };
const first = await startServer({ now: () => clock.now, settings: { MADANG_METRICS_PORT: "0" } });
const second = await startServerOn(first.databaseUrl, { now: () => clock.now });
afterAll(async () => {
  await second.close();
  await first.close();
});

test("a sub key works in every process immediately, cannot manage keys, and is rejected everywhere a second after its deletion", async () => {
  const master = chatWith(first);
  const { key, key_id, created_at } = await master.keys.create();
  const [inFirst, inSecond] = [chatWith(first, key), chatWith(second, key)];
  await inSecond.users.create({ user_id: "sub_made", name: "Created with a sub key" });
  await expect(inFirst.users.get("sub_made")).resolves.toMatchObject({ user_id: "sub_made" });

  for (const manage of [
    () => inFirst.keys.list(),
    () => inSecond.keys.create(),
    () => inFirst.keys.delete(key),
  ])
    await expect(manage()).rejects.toMatchObject({ status: 403, code: "master_key_required" });
  await expect(master.keys.list()).resolves.toMatchObject([{ key, key_id, created_at }]);

  await master.keys.delete(key);
  await expect(inFirst.users.get("sub_made")).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  await sleep(1_000);
  await expect(inSecond.users.get("sub_made")).rejects.toMatchObject({
    status: 401,
    code: "unauthenticated",
  });
  await expect(master.keys.delete(key)).rejects.toMatchObject({ status: 404, code: "key_not_found" });
  await expect(master.keys.delete(key_id)).rejects.toMatchObject({
    code: "key_not_found",
    detail: "This is a key_id. Send the key itself, which the list of sub keys contains.",
  });
  expect(await master.keys.list()).toEqual([]);
});

test("a key with an expiry works until then, is rejected on every process, and still counts until it is deleted", async () => {
  const master = chatWith(first);
  const rule = "Must be a future time in milliseconds since the Unix epoch.";
  for (const time of ["2099-01-01", clock.now / 1_000, clock.now]) {
    // A program without types, which may send anything.
    const body = { expires_at: time as number };
    await expect(master.keys.create(body)).rejects.toMatchObject({ errors: [{ message: rule }] });
  }
  const expires_at = clock.now + 1_000;
  const { key } = await master.keys.create({ label: "trial", expires_at });
  const [here, there] = [chatWith(first, key), chatWith(second, key)];
  clock.now = expires_at - 1;
  for (const sub of [here, there]) await sub.users.list().firstPage();
  clock.now = expires_at;
  for (const sub of [here, there])
    await expect(sub.users.list().firstPage()).rejects.toMatchObject({
      status: 401,
      code: "unauthenticated",
    });
  expect(await master.keys.list()).toMatchObject([{ key, label: "trial", expires_at }]);
  await master.keys.delete(key);
});

test("the last use of a key is stored once a minute, by whichever process it was", async () => {
  const master = chatWith(first);
  const { key } = await master.keys.create({ label: "reports" });
  const lastUse = async () => (await master.keys.list())[0]?.last_used_at;
  expect(await lastUse()).toBeUndefined();
  const [here, there] = [chatWith(first, key), chatWith(second, key)];
  const usedAt = clock.now;
  await here.users.list().firstPage();
  await expect.poll(lastUse).toBe(usedAt);
  clock.now = usedAt + 30_000;
  await there.users.list().firstPage();
  await expect.poll(lastUse).toBe(usedAt + 30_000);
  clock.now = usedAt + 59_999;
  await here.users.list().firstPage();
  clock.now = usedAt + 60_000;
  await here.users.list().firstPage();
  await expect.poll(lastUse).toBe(usedAt + 60_000);
  await master.keys.delete(key);
});

test("log lines and metrics name the key by its id and label", async () => {
  const master = chatWith(first);
  const { key, key_id } = await master.keys.create({ label: `billing ${masterKey}` });
  await chatWith(first, key).users.list().firstPage();
  const label = "billing …";
  await expect
    .poll(() => first.logLines.join(""))
    .toContain(`"caller":"sub","key_id":"${key_id}","key_label":"${label}"`);
  expect(await readMetrics(first)).toContain(
    `madang_key_requests_total{key_id="${key_id}",key_label="${label}"} 1`,
  );
  await master.keys.delete(key);
});

test("no key is written to the log, or to the database in plain text", async () => {
  const master = chatWith(first);
  const { key } = await master.keys.create();
  await chatWith(first, key).users.list().firstPage();
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
