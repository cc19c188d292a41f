import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { createFileAddresses } from "../../src/modules/files/storage/addresses";
import { deriveKey } from "../../src/security/key-set";
import { type ServerProcess, startProcess } from "../faults/process";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { masterKey } from "../support/server";

const newKey = "mk_the-key-that-replaces-it-0123456789";
const servers = new Set<ServerProcess>();
const database = await createDatabase();
afterEach(async () => {
  for (const server of servers) await server.end("SIGTERM");
  servers.clear();
});
afterAll(database.drop);

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProcess(database.url, settings);
  servers.add(server);
  return server;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "madang-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("the master key is replaced process by process: sub keys and retries work on all of them, at every step", async () => {
  const keys = "/v1/applications/keys";
  const both = { MADANG_MASTER_KEY: newKey, MADANG_MASTER_KEY_PREVIOUS: masterKey };
  const old = await start();
  const { body: sub } = await call(old.url, "POST", keys, { body: { label: "billing" } });
  const message = { body: { user_id: "kim_01", name: "Kim" }, key: sub.key, idempotencyKey: "one" };
  expect((await call(old.url, "POST", "/v1/users", message)).status).toBe(201);

  // A list that is read page by page during the change.
  for (const user_id of ["lee_02", "park_03", "choi_04", "jung_05", "kang_06"])
    await call(old.url, "POST", "/v1/users", { body: { user_id, name: "User" }, key: sub.key });
  const page = await call(old.url, "GET", "/v1/users?limit=5", { key: sub.key });

  const changing = await start(both);
  const made = await call(changing.url, "POST", keys, { key: newKey });
  const [restarted, last] = [await start(), await start(both)];
  for (const { url } of [old, changing, restarted, last]) {
    for (const key of [sub.key, made.body.key])
      expect((await call(url, "GET", "/v1/users", { key })).status).toBe(200);
    expect((await call(url, "GET", keys, { key: masterKey })).body).toHaveLength(2);
    expect((await call(url, "POST", "/v1/users", message)).headers.get("Idempotent-Replayed")).toBe("true");
  }
  for (const { url } of [changing, last])
    expect((await call(url, "GET", keys, { key: newKey })).status).toBe(200);

  // The new key is everywhere, except for one process that was forgotten, so the old one is taken away.
  await restarted.end("SIGTERM");
  const ended = await start({ MADANG_MASTER_KEY: newKey });
  expect((await call(ended.url, "GET", keys, { key: masterKey })).status).toBe(401);
  for (const { url } of [changing, ended]) {
    const listed = await call(url, "GET", keys, { key: newKey });
    expect(listed.body.map(({ key }: { key: string }) => key)).toEqual([sub.key, made.body.key]);
    expect((await call(url, "GET", "/v1/users", { key: sub.key })).status).toBe(200);
    expect((await call(url, "POST", "/v1/users", message)).headers.get("Idempotent-Replayed")).toBe("true");
  }
  const rest = await call(ended.url, "GET", `/v1/users?next=${page.body.next}`, { key: sub.key });
  expect(rest.body.users.map(({ user_id }: { user_id: string }) => user_id)).toEqual(["kim_01"]);
  expect((await call(old.url, "GET", keys, { key: masterKey })).status).toBe(500);
  // The log is written by another thread.
  await expect
    .poll(() => old.output())
    .toContain("The master key of this database was changed after this process started");
});

test("only an accepted master key signs the address of a file, and for a few hours", async () => {
  const { url } = await start({ MADANG_MASTER_KEY: newKey, MADANG_FILES: `folder:${await makeFolder()}` });
  await call(url, "POST", "/v1/group/channels", {
    key: newKey,
    body: { channel_id: "room_1", name: "Room", members: [] },
  });
  const menu = { channel_id: "room_1", name: "menu.txt", type: "text/plain", size: 4 };
  const { body: file, status } = await call(url, "POST", "/v1/files", { key: newKey, body: menu });
  expect(status).toBe(201);
  const upload = async (key: string, hours: number) => {
    const addresses = createFileAddresses([deriveKey(key, "addresses of files")], Date.now);
    const address = addresses.make(url, "PUT", file.file_id, Date.now() + hours * 3_600_000);
    const sent = await fetch(address, {
      method: "PUT",
      headers: { "content-type": menu.type },
      body: "Soup",
    });
    return sent.status;
  };
  expect(await upload(masterKey, 1)).toBe(404);
  expect(await upload(newKey, 10)).toBe(404);
  expect(await upload(newKey, 1)).toBe(200);
});

test("a start with a key that cannot open what is stored ends with a message", async () => {
  await start({ MADANG_MASTER_KEY: newKey });
  await expect(start()).rejects.toThrow(/madang-server: The master key is not that of this database/);
});
