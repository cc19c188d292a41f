import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { bind } from "../../src/http/listen/bind";
import { openHostNames } from "../../src/modules/webhooks/delivery/host-names";
import { call } from "../support/call";
import { type Receiver, respondWith, startReceiver } from "../support/receiver";
import { expectNearlyAll, report, scale } from "../support/report";
import { type ServerOptions, startServer, type TestServer } from "../support/server";
import { loadChannels, loadUsers, prepareLoad } from "./load";
import { formatTimes, sendAtRate } from "./paced-sends";

const [user = ""] = loadUsers;
const rate = { perSecond: 20, seconds: scale(4, 30) };
const sent = rate.perSecond * rate.seconds;

function start(options: ServerOptions): Promise<TestServer> {
  return startServer({
    hasBackgroundTasks: true,
    settings: { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" },
    ...options,
  });
}

async function register(server: TestServer, url: string): Promise<string> {
  const { status, body } = await call(server.url, "POST", "/v1/webhooks", {
    body: { url, types: ["message.created"] },
  });
  expect(status).toBe(201);
  return body.webhook_id;
}

/** Sends messages at a rate, beside a receiver that responds. */
async function measure(server: TestServer, healthy: Receiver) {
  healthy.respond = (_delivery, response) => respondWith(response, 204);
  const stored = await sendAtRate({ url: server.url, user, channels: loadChannels, ...rate });
  const arrived = () => new Set(healthy.deliveries.map(({ event }) => event.data.message.content));
  await expect.poll(() => [...stored.keys()].every((content) => arrived().has(content))).toBe(true);
  const times = [...stored.values()].map(({ startedAt, respondedAt }) => respondedAt - startedAt);
  return { stored: stored.size, times };
}

async function reportSends(
  fault: string,
  { stored, times }: { stored: number; times: number[] },
): Promise<void> {
  await report({
    fault: `${fault}; sends ${formatTimes(times)}`,
    load: `${rate.perSecond} sends per second, a receiver that responds`,
    sent,
    acknowledged: stored,
    wrong: sent - stored,
    maxOutageMs: Math.max(...times),
  });
}

test("webhooks whose name server does not respond delay no request, no other webhook and not the end of the server", async () => {
  const nameServer = createSocket("udp4");
  let queries = 0;
  nameServer.on("message", () => {
    queries += 1;
  });
  nameServer.bind(0, "127.0.0.1");
  await once(nameServer, "listening");
  const nameServers = [`127.0.0.1:${nameServer.address().port}`];
  const server = await start({ receivers: { hostNames: openHostNames({ nameServers }) } });
  await prepareLoad(server.url);
  const healthy = await startReceiver();
  await register(server, healthy.url);
  const startedAt = performance.now();
  await Promise.all([0, 1, 2].map((index) => register(server, `https://silent-${index}.test/`)));
  const createdMs = performance.now() - startedAt;
  const measured = await measure(server, healthy);
  const closingAt = performance.now();
  await server.close();
  const closedMs = performance.now() - closingAt;
  nameServer.close();
  await healthy.close();
  await reportSends(
    `three webhooks whose name server is silent (${queries} queries): created in ${Math.round(createdMs)} ms, server closed in ${Math.round(closedMs)} ms`,
    measured,
  );
  expectNearlyAll(measured.stored, sent);
  expect(createdMs).toBeLessThan(9_000);
  expect(closedMs).toBeLessThan(8_000);
});

/** A receiver that writes the same until its connection is closed. */
async function startRaw(text: string) {
  const got = { connections: 0, writes: 0, url: "", close: () => undefined as unknown };
  const server = createServer((socket) => {
    got.connections += 1;
    const write = () => {
      got.writes += 1;
      if (!socket.destroyed) socket.write(text, () => setImmediate(write));
    };
    socket.on("error", () => undefined).once("data", write);
  });
  got.url = `${await bind(server, { PORT: 0, HOST: "127.0.0.1" })}/`;
  got.close = () => server.close();
  return got;
}

test.each([
  ["101", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"],
  ["100 without end", "HTTP/1.1 100 Continue\r\n\r\n"],
])("a receiver that responds with %s takes no place and no processor", async (name, text) => {
  const server = await start({ receivers: { timeoutMs: 120_000 } });
  await prepareLoad(server.url);
  const healthy = await startReceiver();
  await register(server, healthy.url);
  const raw = await startRaw(text);
  const webhookId = await register(server, raw.url);
  const usedBefore = process.cpuUsage();
  const measured = await measure(server, healthy);
  const used = process.cpuUsage(usedBefore);
  await sleep(scale(500, 2_000));
  const countAttempts = async () => {
    const { body } = await call(server.url, "GET", `/v1/webhooks/${webhookId}/attempts?limit=100`);
    return body.attempts.length;
  };
  // Every attempt is recorded long before its timeout, so none holds a place.
  await expect.poll(async () => raw.connections - (await countAttempts())).toBe(0);
  const attempts = await countAttempts();
  const cores = (used.user + used.system) / 1_000 / (rate.seconds * 1_000);
  await reportSends(
    `a receiver that responds with ${name}: ${attempts} attempts recorded of ${raw.connections}, ${cores.toFixed(2)} cores of server and test`,
    measured,
  );
  raw.close();
  await server.close();
  await healthy.close();
  expectNearlyAll(measured.stored, sent);
  expect(attempts).toBeGreaterThan(0);
});
