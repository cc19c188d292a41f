import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatClient } from "../src/index";

// A server that responds while this thread is busy: in its own thread, with a shared count of requests.
const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const arrived = new Int32Array(workerData);
  const server = require("node:http").createServer((request, response) => {
    const page = Atomics.add(arrived, 0, 1) + 1;
    Atomics.notify(arrived, 0);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ messages: [], timezone: "UTC", ...(page < 10 && { next: "page-" + page }) }));
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

const arrived = new Int32Array(new SharedArrayBuffer(4));
let worker: Worker;
let baseUrl: string;
beforeAll(async () => {
  worker = new Worker(program, { eval: true, workerData: arrived.buffer });
  const [port] = await once(worker, "message");
  baseUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => worker.terminate());

test("the next page is requested before the consumer gets one, so that computing does not delay it", async () => {
  const chat = new ChatClient({ baseUrl, apiKey: "sk_test" });
  const outcomes: string[] = [];
  for await (const { index } of chat.exports.messages("room_1", { prefetch: 1 }).pages()) {
    if (index === 9) break;
    // Blocks this thread until the server has seen the next request; "not-equal" when it has already.
    outcomes.push(Atomics.wait(arrived, 0, index + 1, 2_000));
  }
  expect(outcomes).toHaveLength(9);
  expect(outcomes).not.toContain("timed-out");
});
