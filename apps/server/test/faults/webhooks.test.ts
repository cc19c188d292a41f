import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { type Delivery, type Receiver, respondWith, startReceiver } from "../support/receiver";
import { isLong, report } from "../support/report";
import { loadChannels, loadUsers, prepareLoad } from "./load";
import { formatTimes, sendAtRate } from "./paced-sends";
import { type ServerProcess, startProcess } from "./process";

const [user = ""] = loadUsers;
const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
let database: Awaited<ReturnType<typeof createDatabase>>;
let receiver: Receiver;
beforeAll(async () => {
  database = await createDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

// In `npm test`, a journey kills a process by its claims alone: here the claims of 30 seconds pass in real time.
test.runIf(isLong)(
  "kill -9 of the server loses no delivery, and keeps those of a channel in order",
  async () => {
    const servers: ServerProcess[] = [];
    for (let index = 0; index < 2; index++) servers.push(await startProcess(database.url, settings));
    const urlOf = (index: number) => servers[index % servers.length]?.url ?? "";
    await prepareLoad(urlOf(0));
    const body = { url: receiver.url, types: ["message.created"] };
    expect((await call(urlOf(0), "POST", "/v1/webhooks", { body })).status).toBe(201);

    // One writer for each channel, so that the order of its messages is known.
    let isStopped = false;
    let sent = 0;
    const acknowledged = new Map<string, string[]>();
    const write = async (channel: string, writer: number) => {
      const contents: string[] = [];
      acknowledged.set(channel, contents);
      for (let count = 0; !isStopped; count++) {
        const message = { user_id: user, type: "text", content: `${channel}-${count}` };
        const path = `/v1/group/channels/${channel}/messages`;
        for (let attempt = writer; ; attempt++) {
          sent++;
          const status = await call(urlOf(attempt), "POST", path, {
            body: message,
            idempotencyKey: message.content,
          }).then(
            (reply) => reply.status,
            () => 0,
          );
          if (status === 201) break;
          await sleep(20);
        }
        contents.push(message.content);
        await sleep(5);
      }
    };
    const writers = loadChannels.map(write);
    const count = () => [...acknowledged.values()].reduce((sum, contents) => sum + contents.length, 0);
    for (let round = 0; round < 20; round++) {
      const goal = count() + 400;
      while (count() < goal) await sleep(5);
      const index = round % servers.length;
      const url = new URL(urlOf(index));
      await servers[index]?.end("SIGKILL");
      servers[index] = await startProcess(database.url, { ...settings, PORT: url.port });
    }
    isStopped = true;
    await Promise.all(writers);

    // What a killed process was sending is sent again when its claims have passed.
    const deadline = Date.now() + 90_000;
    const missing = () => count() - new Set(receiver.deliveries.map(({ event }) => event.event_id)).size;
    while (missing() > 0 && Date.now() < deadline) await sleep(200);
    for (const server of servers) await server.end("SIGTERM");

    const { lost, repeated, reordered } = compare(acknowledged, receiver.deliveries);
    await report({
      fault: `webhooks: kill -9 of the servers that deliver; ${repeated} deliveries arrived twice`,
      load: `${loadChannels.length} writers, 2 processes`,
      sent,
      acknowledged: count(),
      lost,
      wrong: reordered,
    });
    expect({ lost, reordered }).toEqual({ lost: 0, reordered: 0 });
  },
);

/** Compares deliveries with the messages of each channel, in their order. A repetition comes before the next message. */
function compare(acknowledged: ReadonlyMap<string, readonly string[]>, deliveries: readonly Delivery[]) {
  let [lost, repeated, reordered] = [0, 0, 0];
  for (const [channel, contents] of acknowledged) {
    const indexes = deliveries
      .filter(({ event }) => event.channel_id === channel)
      .map(({ event }) => contents.indexOf(event.data.message.content));
    const distinct = new Set(indexes);
    lost += contents.length - distinct.size;
    repeated += indexes.length - distinct.size;
    reordered += indexes.filter((index, at) => index < (indexes[at - 1] ?? 0)).length;
  }
  return { lost, repeated, reordered };
}

test.runIf(isLong)("receivers that hang delay neither another receiver nor a request", async () => {
  const own = await createDatabase();
  const server = await startProcess(own.url, settings);
  await prepareLoad(server.url);
  const healthy = await startReceiver();
  const hanging = await startReceiver();
  hanging.respond = () => undefined;
  const register = ({ url }: Receiver) =>
    call(server.url, "POST", "/v1/webhooks", { body: { url, types: ["message.created"] } });
  await register(healthy);

  const rate = { perSecond: 100, seconds: 30 };
  const measure = async () => {
    const arrivedAt = new Map<string, number>();
    healthy.respond = ({ event }, response) => {
      arrivedAt.set(event.data.message.content, performance.now());
      respondWith(response, 204);
    };
    const stored = [...(await sendAtRate({ url: server.url, user, channels: loadChannels, ...rate }))];
    const missing = () => stored.filter(([content]) => !arrivedAt.has(content)).length;
    for (let waited = 0; missing() > 0 && waited < 30_000; waited += 100) await sleep(100);
    const requests = stored.map(([, { startedAt, respondedAt }]) => respondedAt - startedAt);
    const deliveries = stored.map(
      ([content, { respondedAt }]) => (arrivedAt.get(content) ?? Number.POSITIVE_INFINITY) - respondedAt,
    );
    return {
      stored: stored.length,
      missing: missing(),
      text: `requests ${formatTimes(requests)}, deliveries ${formatTimes(deliveries)}`,
    };
  };
  const warm = await measure();
  const alone = await measure();
  for (let index = 0; index < 3; index++) await register(hanging);
  const beside = await measure();
  for (const [name, { stored, missing, text }] of Object.entries({ alone, "beside three that hang": beside }))
    await report({
      fault: `webhooks: a receiver ${name}; ${text}`,
      load: `${rate.perSecond} sends per second`,
      sent: rate.perSecond * rate.seconds,
      acknowledged: stored,
      lost: missing,
    });
  await server.end("SIGTERM");
  for (const receiver of [healthy, hanging]) await receiver.close();
  await own.drop();
  expect([warm.missing, alone.missing, beside.missing]).toEqual([0, 0, 0]);
  expect(hanging.deliveries.length).toBeGreaterThan(0);
});
