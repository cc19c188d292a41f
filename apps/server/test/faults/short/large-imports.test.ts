import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { call } from "../../support/call";
import { expectWithinIfLong, scale } from "../../support/report";
import { masterKey, startServer } from "../../support/server";

const server = await startServer();
await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
await call(server.url, "POST", "/v1/group/channels", {
  body: { channel_id: "room_1", name: "Large", members: [], reuse: false },
});
afterAll(() => server.close());

/** Each fills a body to just below 8 MB, and is slow to read in another way. */
const contents: Readonly<Record<string, string>> = {
  "Hangul, 3 bytes each": "김".repeat(5_500),
  "emoji, 4 bytes each": "😀".repeat(4_100),
  "escaped quotes": '"'.repeat(8_160),
  "é, 2 bytes each": "é".repeat(8_150),
};

/** Measures the turns of the event loop in processor time of this thread, which the load of the machine does not change. */
function watchTurns() {
  let longestUs = 0;
  let isWatching = true;
  let before = process.threadCpuUsage();
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before);
    longestUs = Math.max(longestUs, user + system);
    before = process.threadCpuUsage();
    if (isWatching) setImmediate(measure);
  };
  measure();
  return {
    /** Since the last call. */
    longestMs() {
      const longest = longestUs / 1_000;
      longestUs = 0;
      return longest;
    },
    end() {
      isWatching = false;
    },
  };
}

// The client runs in a thread of its own: what is measured is the server.
const client = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { url, key, content, rounds } = workerData;
  (async () => {
    for (let round = 0; round < rounds; round++) {
      const messages = Array.from({ length: 500 }, () => ({ user_id: "kim_01", type: "text", content, created_at: 1 }));
      const headers = {
        authorization: "Bearer " + key,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      };
      const body = Buffer.from(JSON.stringify({ messages }));
      if (body.length > 8 * 2 ** 20 || body.length < 7.5 * 2 ** 20) throw new Error("The body has " + body.length);
      const response = await fetch(url, { method: "POST", headers, body });
      parentPort.postMessage(response.status + " " + (response.ok ? "" : await response.text()));
    }
  })();
`;

test.each(Object.entries(contents))(
  "a body of 8 MB of %s does not block the event loop",
  async (name, content) => {
    const rounds = scale(1, 20);
    const url = `${server.url}/v1/imports/group/channels/room_1/messages`;
    const worker = new Worker(client, { eval: true, workerData: { url, key: masterKey, content, rounds } });
    const turns = watchTurns();
    const longestMs: number[] = [];
    worker.on("message", (status) => {
      expect(status).toBe("200 ");
      longestMs.push(turns.longestMs());
    });
    await new Promise((resolve, reject) => worker.once("exit", resolve).once("error", reject));
    turns.end();
    longestMs.sort((one, other) => one - other);
    expect(longestMs).toHaveLength(rounds);
    const [median = 0, max = 0] = [longestMs[Math.floor(rounds / 2)], longestMs.at(-1)];
    if (rounds > 1)
      process.stdout.write(
        `${name}: longest turn ${median.toFixed(1)} ms (median), ${max.toFixed(1)} ms (max)\n`,
      );
    expectWithinIfLong(20, median);
  },
);
