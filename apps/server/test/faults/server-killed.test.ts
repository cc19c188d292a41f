import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase } from "../support/database";
import { report, rowOf, scale } from "../support/report";
import { prepareLoad, startLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

const writers = 32;
const database = await createDatabase();
afterAll(database.drop);

test("kill -9 of the server under 32 writers loses and duplicates nothing, and leaves nothing incomplete", async () => {
  let server: ServerProcess = await startProcess(database.url);
  const { url } = server;
  await prepareLoad(url);
  const load = startLoad({ url: () => url, writers, mayBreak: true });
  for (let round = 0; round < scale(3, 20); round++) {
    const goal = load.acknowledged() + scale(300, 1_000);
    while (load.acknowledged() < goal) await sleep(5);
    await server.end("SIGKILL");
    server = await startProcess(database.url, { PORT: new URL(url).port });
  }
  await load.stop();
  await server.end("SIGTERM");
  const check = await checkData(database.url, load);
  await report(rowOf("kill -9 of the server", writers, load, check));
  expect({ ...check, wrong: load.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
});

test("a message to many channels that a kill -9 interrupted is sent to all of them once, with its key", async () => {
  let server: ServerProcess = await startProcess(database.url);
  const { url } = server;
  const ids = Array.from({ length: 30 }, (_, index) => `many_${index}`);
  await call(url, "POST", "/v1/users", { body: { user_id: "many_01", name: "Many" } });
  for (const channel_id of ids) {
    const body = { channel_id, name: "Many", members: ["many_01"] };
    await call(url, "POST", "/v1/group/channels", { body });
  }
  const rounds = scale(5, 100);
  let interrupted = 0;
  for (let round = 0; round < rounds; round++) {
    const body = { channel_ids: ids, user_id: "many_01", type: "text", content: `many ${round}` };
    const request = () => call(url, "POST", "/v1/messages", { body, idempotencyKey: `many-${round}` });
    // Others wait in the queue of the row locks.
    const first = Promise.allSettled([request(), request()]);
    await sleep(Math.random() * 30);
    await server.end("SIGKILL");
    if ((await first).some(({ status }) => status === "rejected")) interrupted += 1;
    server = await startProcess(database.url, { PORT: new URL(url).port });
    const { status, body: repeated } = await request();
    expect(status).toBe(200);
    expect(repeated.results.map(({ message }: { message: { content: string } }) => message.content)).toEqual(
      ids.map(() => `many ${round}`),
    );
  }
  for (const id of ids) {
    const { body } = await call(url, "GET", `/v1/group/channels/${id}`);
    expect(body.total_message_count).toBe(rounds);
  }
  await server.end("SIGTERM");
  expect(interrupted).toBeGreaterThan(0);
});
