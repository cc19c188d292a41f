import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkData } from "../support/check-data";
import { createDatabase } from "../support/database";
import { report, rowOf, scale } from "../support/report";
import { prepareLoad, startLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

const writers = 32;
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("kill -9 of the server under 32 writers loses and duplicates nothing, and leaves nothing incomplete", async () => {
  const start = (port: string) => startProcess(database.url, { PORT: port });
  let server: ServerProcess = await start("0");
  const { url } = server;
  await prepareLoad(url);
  const load = startLoad({ url: () => url, writers, mayBreak: true });
  for (let round = 0; round < scale(3, 20); round++) {
    const goal = load.acknowledged() + scale(300, 1_000);
    while (load.acknowledged() < goal) await sleep(5);
    await server.end("SIGKILL");
    server = await start(new URL(url).port);
  }
  await load.stop();
  await server.end("SIGTERM");
  const check = await checkData(database.url, load);
  await report(rowOf("kill -9 of the server", writers, load, check));
  expect({ ...check, wrong: load.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
});
