import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { createDatabase } from "../support/database";
import { expectNearlyAll, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { loadChannels, loadUsers, prepareLoad } from "./load";
import { formatTimes, sendAtRate } from "./paced-sends";
import { type ServerProcess, startProcess } from "./process";

const [user = ""] = loadUsers;
let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
beforeAll(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await prepareLoad(server.url);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

interface Polls {
  /** How often each status was returned. */
  readonly statuses: Map<number, number>;
  stop(): void;
}

/** Clients that wait for the events of a channel that has none, each again and again. They begin one after another. */
function startPolls(count: number, withinMs: number): Polls {
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  let isStopped = false;
  const poll = (after: string) =>
    new Promise<{ status: number; after: string; retryAfterSeconds: number }>((resolve) => {
      const path = `/v1/events?after=${after}&wait=25&channel_id=quiet_room`;
      const headers = { Authorization: `Bearer ${masterKey}` };
      const retry = { status: 0, after, retryAfterSeconds: 1 };
      get(`${server.url}${path}`, { agent, headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("error", () => resolve(retry));
        response.on("end", () => {
          const { statusCode: status = 0, headers } = response;
          if (status === 200) resolve({ status, after: JSON.parse(text).next, retryAfterSeconds: 0 });
          else resolve({ status, after, retryAfterSeconds: Number(headers["retry-after"] ?? 1) });
        });
      }).on("error", () => resolve(retry));
    });
  const run = async (index: number) => {
    await sleep((index / count) * withinMs, undefined, { ref: false });
    for (let after = "latest"; !isStopped; ) {
      const reply = await poll(after);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      after = reply.after;
      await sleep(reply.retryAfterSeconds * 1_000, undefined, { ref: false });
    }
  };
  for (let index = 0; index < count; index++) void run(index);
  return {
    statuses,
    stop() {
      isStopped = true;
      agent.destroy();
    },
  };
}

test("lists that wait for other events do not slow requests", async () => {
  const count = scale(300, 2_000);
  const rate = { perSecond: 30, seconds: scale(3, 20) };
  const sent = rate.perSecond * rate.seconds;
  const measure = async () => {
    const stored = await sendAtRate({ url: server.url, user, channels: loadChannels, ...rate });
    return [...stored.values()].map(({ startedAt, respondedAt }) => respondedAt - startedAt);
  };
  await measure();
  const alone = await measure();
  const startMs = scale(1_000, 15_000);
  const polls = startPolls(count, startMs);
  await sleep(2 * startMs);
  const beside = await measure();
  polls.stop();
  const statuses = [...polls.statuses].map(([status, times]) => `${times} × ${status}`).join(", ");
  for (const [name, times] of Object.entries({
    "without polls": alone,
    [`beside ${count} idle polls`]: beside,
  }))
    await report({
      fault: `sends ${name}: ${formatTimes(times)}${times === beside && statuses ? `; polls: ${statuses}` : ""}`,
      load: `${rate.perSecond} sends per second`,
      sent,
      acknowledged: times.length,
      wrong: sent - times.length,
      maxOutageMs: Math.max(...times),
    });
  for (const { length } of [alone, beside]) expectNearlyAll(length, sent);
});
