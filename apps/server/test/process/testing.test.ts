import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ChatClient, type NewMessage } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findRunning } from "../../src/db/embedded/running";
import { startTestServer, type TestServer } from "../../src/testing";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";

const text: NewMessage = { user_id: "kim_01", type: "text", content: "See you at noon." };
let ground: PostgresFolder;
let first: TestServer;
let second: TestServer;

const connect = ({ url, masterKey }: TestServer) => new ChatClient({ baseUrl: url, apiKey: masterKey });
const start = () => startTestServer({ folder: ground.path, settings: { MADANG_EVENTS_DAYS: "1" } });

beforeAll(async () => {
  ground = await createPostgresFolder();
  // At the same time, as the files of a test runner do.
  [first, second] = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await first.close();
  await second.close();
  await ground.remove();
});

async function fill(chat: ChatClient): Promise<void> {
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  await chat.messages.send("room_1", text);
}

test("two servers have their own data", async () => {
  await fill(connect(first));
  expect((await connect(first).messages.list("room_1").firstPage()).items).toMatchObject([
    { content: text.content },
  ]);
  expect((await connect(second).users.list().firstPage()).items).toEqual([]);
});

test("two servers have their own files", async () => {
  for (const server of [first, second]) {
    const chat = connect(server);
    await chat.channels.create({ channel_id: "files_1", name: "Files", members: [] });
    const file = await chat.files.upload("files_1", Buffer.from("x"), { name: "a.txt", type: "text/plain" });
    expect(await (await fetch(file.url ?? "")).text()).toBe("x");
    await server.reset();
  }
});

test("after a reset the server is empty, and the same ids can be created again", async () => {
  const chat = connect(first);
  const { next: after } = await chat.events.list({ after: "latest" });
  await chat.webhooks.create({ url: "https://chat.example.com/hook" });
  await chat.keys.create();
  await first.reset();
  expect((await chat.users.list().firstPage()).items).toEqual([]);
  expect((await chat.channels.list().firstPage()).items).toEqual([]);
  expect(await chat.keys.list()).toEqual([]);
  expect(await chat.webhooks.list()).toEqual([]);
  expect((await chat.events.list()).events).toEqual([]);
  await fill(chat);
  const { events } = await chat.events.list({ after });
  expect(events.map(({ type }) => type)).toEqual([
    "user.created",
    "channel.created",
    "member.joined",
    "message.created",
  ]);
});

test("the next start reuses the database of a server that was closed, without its data", async () => {
  await first.close();
  first = await start();
  expect((await connect(first).users.list().firstPage()).items).toEqual([]);
  await fill(connect(first));
});

test("an invalid setting is rejected and leaves nothing running", async () => {
  const third = { folder: ground.path, settings: { MADANG_EVENTS_DAYS: "0" } };
  await expect(startTestServer(third)).rejects.toThrow("MADANG_EVENTS_DAYS must be a whole number");
  const other = await start();
  await other.close();
});

test("a database of other migrations is not used", async () => {
  const own = await createPostgresFolder();
  await (await startTestServer({ folder: own.path })).close();
  const [migrations = ""] = await readdir(own.path);
  // As if the migrations had been others when the database was made.
  await rename(join(own.path, migrations), join(own.path, "others"));
  await (await startTestServer({ folder: own.path })).close();
  expect((await readdir(own.path)).sort()).toEqual([migrations, "others"].sort());
  await own.remove();
});

test.runIf(process.platform !== "win32")("its PostgreSQL ends with a process that is killed", async () => {
  const own = await createPostgresFolder();
  const built = new URL("../../dist/testing.js", import.meta.url).href;
  const source = `import { startTestServer } from ${JSON.stringify(built)};
    await startTestServer({ folder: ${JSON.stringify(own.path)} });
    console.log("started");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const [migrations = ""] = await readdir(own.path);
  const isRunning = async () => (await findRunning(join(own.path, migrations, "0"))) !== undefined;
  expect(await isRunning()).toBe(true);
  child.kill("SIGKILL");
  await expect.poll(isRunning).toBe(false);
  await own.remove();
});
