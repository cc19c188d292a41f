import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient, isChatError } from "@madang/client";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { scale } from "../support/report";
import { masterKey } from "../support/server";
import { type ServerProcess, startProcess } from "./process";

const streams = 8;
const kills = scale(4, 20);
const appendsBetweenKills = 20;
const database = await createDatabase();
afterAll(database.drop);

/** The text of an append. Each is different, so that one that is stored twice or left out shows. */
const textOf = (stream: number, index: number) => `${stream}.${index} ${"김".repeat(index % 5)}`;
const prefixOf = (stream: number, count: number) =>
  Array.from({ length: count }, (_, index) => textOf(stream, index)).join("");

test("after kill -9 of the server, and of writers, the text is a prefix, and whole once the writers go on", async () => {
  let server: ServerProcess = await startProcess(database.url);
  const { url } = server;
  // Without retries: a writer sees each failure.
  const chat = new ChatClient({ baseUrl: url, apiKey: masterKey, maxRetries: 0, maxDowntimeMs: 0 });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Streams", members: ["kim_01"] });
  const ids: string[] = [];
  for (let stream = 0; stream < streams; stream += 1)
    ids.push(
      (await chat.messages.send("room_1", { user_id: "kim_01", type: "text", streaming: true })).message_id,
    );
  const acknowledged = ids.map(() => 0);
  const attempted = ids.map(() => 0);

  /** A new writer of a stream: it knows nothing but the text, and continues where the message ends. */
  async function write(stream: number, isKilled: () => boolean): Promise<void> {
    const id = ids[stream] ?? "";
    // The last request of a killed writer may be acknowledged at any moment.
    const acknowledgedBefore = acknowledged[stream];
    const message = await chat.messages.get("room_1", id);
    const { content, append_count: count = -1 } = Object(message);
    expect(content).toBe(prefixOf(stream, count));
    expect(count).toBeGreaterThanOrEqual(acknowledgedBefore ?? 0);
    expect(count).toBeLessThanOrEqual(attempted[stream] ?? 0);
    for (let index = count; !isKilled(); index += 1) {
      attempted[stream] = Math.max(attempted[stream] ?? 0, index + 1);
      await chat.messages.append("room_1", id, { index, content: textOf(stream, index) });
      acknowledged[stream] = Math.max(acknowledged[stream] ?? 0, index + 1);
    }
  }

  let wrong = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    let isKilled = false;
    const goal = acknowledged.reduce((sum, each) => sum + each, 0) + appendsBetweenKills * streams;
    const writers = ids.map((_, stream) =>
      write(stream, () => isKilled).catch((error: unknown) => {
        // What a killed server did not respond to.
        if (!isChatError(error) || error.kind === "api") wrong += 1;
        if (!isChatError(error)) throw error;
      }),
    );
    while (acknowledged.reduce((sum, each) => sum + each, 0) < goal) await sleep(2);
    await sleep(Math.random() * 5);
    if (kill % 2 === 0) {
      await server.end("SIGKILL");
      server = await startProcess(database.url, { PORT: new URL(url).port });
    }
    // A killed writer leaves its last request behind, and its successor does not wait for it.
    isKilled = true;
    if (kill % 2 === 0) await Promise.all(writers);
  }
  await sleep(500);
  for (const [stream, id] of ids.entries()) {
    const { append_count: count = 0 } = Object(await chat.messages.get("room_1", id));
    for (let index = count; index < count + 5; index += 1)
      await chat.messages.append("room_1", id, { index, content: textOf(stream, index) });
    const finished = await chat.messages.finish("room_1", id, { state: "done" });
    expect(finished).toMatchObject({ content: prefixOf(stream, count + 5) });
    expect(count).toBeGreaterThanOrEqual(acknowledged[stream] ?? 0);
  }
  expect(wrong).toBe(0);
  await server.end("SIGTERM");
});
