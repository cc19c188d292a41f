import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { expectNearlyAll, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { formatTimes, sendAtRate } from "./paced-sends";
import { type ServerProcess, startProcess } from "./process";

const largeSize = scale(200, 1_024) * 2 ** 20;
const maxGrowthMegabytes = 100;

let database: Awaited<ReturnType<typeof createDatabase>>;
let folder: string;
let server: ServerProcess;
let chat: ChatClient;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "madang-uploads-"));
  server = await startProcess(database.url, {
    MADANG_FILES: `folder:${folder}`,
    MADANG_FILE_MAX_BYTES: String(largeSize),
  });
  chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await database.drop();
  await rm(folder, { recursive: true });
});

test("100 uploads of 5 MB at once arrive, and messages are sent meanwhile", async () => {
  const count = 100;
  const startedAt = performance.now();
  const workerData = { url: server.url, apiKey: masterKey, count, size: 5 * 2 ** 20 };
  const uploads = once(new Worker(new URL("./uploader.ts", import.meta.url), { workerData }), "exit").then(
    () => (performance.now() - startedAt) / 1_000,
  );
  const sends = sendAtRate({
    url: server.url,
    user: "kim_01",
    channels: ["room_1"],
    perSecond: 50,
    seconds: scale(3, 10),
  });
  const seconds = await uploads;
  const stored = [...(await sends).values()].map((each) => each.respondedAt - each.startedAt);
  await report({
    fault: `uploads of 5 MB at once, in ${seconds.toFixed(1)} s; messages beside them ${formatTimes(stored)}`,
    load: `${count} uploads, 50 messages a second`,
    sent: count,
    acknowledged: count,
  });
  expectNearlyAll(stored.length, 50 * scale(3, 10));
});

test("a large file goes up and down with little memory", async () => {
  const before = await server.residentMegabytes();
  let peak = before;
  const watching = setInterval(async () => {
    peak = Math.max(peak, await server.residentMegabytes().catch(() => 0));
  }, 50);
  const created = await chat.files.create({
    channel_id: "room_1",
    user_id: "kim_01",
    name: "film.mp4",
    type: "video/mp4",
    size: largeSize,
  });
  const chunk = Buffer.alloc(2 ** 20, "f");
  let left = largeSize;
  const body = new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      left -= chunk.length;
      controller.enqueue(chunk);
    },
  });
  const { url, headers } = created.upload ?? expect.fail();
  const init = { method: "PUT", headers: { ...headers, "content-length": String(largeSize) }, body };
  expect((await fetch(url, { ...init, duplex: "half" })).status).toBe(200);
  const sent = await chat.messages.send("room_1", {
    user_id: "kim_01",
    type: "text",
    attachments: [{ file_id: created.file_id }],
  });
  const [attached] = Object(sent).attachments;
  const download = await fetch(attached.url);
  let received = 0;
  for await (const part of download.body ?? []) received += part.length;
  clearInterval(watching);
  expect(received).toBe(largeSize);
  await report({
    fault: `a file of ${largeSize / 2 ** 20} MB up and down; the process grows from ${before.toFixed()} to ${peak.toFixed()} MB`,
    load: "1 client",
    sent: 1,
    acknowledged: 1,
  });
  expect(peak - before).toBeLessThan(maxGrowthMegabytes);
});
