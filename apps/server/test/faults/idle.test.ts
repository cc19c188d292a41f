import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { call } from "../support/call";
import { type Receiver, startReceiver } from "../support/receiver";
import { report, scale } from "../support/report";
import { masterKey, startServer, type TestServer } from "../support/server";

let statements = 0;
/** Of these, those that look for deliveries. */
let looks = 0;
let receiver: Receiver;
let server: TestServer;
afterEach(() => receiver.close());

/** A server as in production, with webhooks whose deliveries are done. */
async function start(webhooks: number): Promise<void> {
  receiver = await startReceiver();
  server = await startServer({
    hasBackgroundTasks: true,
    graceMs: 6_000,
    receivers: {},
    settings: { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" },
    onStatement: (name) => {
      statements += 1;
      if (name === "webhooks.list-targets") looks += 1;
    },
  });
  for (let index = 0; index < webhooks; index++)
    await call(server.url, "POST", "/v1/webhooks", { body: { url: receiver.url } });
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  await expect.poll(() => receiver.deliveries.length).toBe(webhooks);
  await sleep(1_000);
}

async function countPerSecond(seconds: number): Promise<{ statements: number; looks: number }> {
  statements = 0;
  looks = 0;
  await sleep(seconds * 1_000);
  return { statements: statements / seconds, looks: looks / seconds };
}

/** Changes with every write of a row. */
const readVersions: Statement<{ versions: string }> = {
  name: "test.read-versions",
  text: `SELECT string_agg(xmin::text, ' ' ORDER BY pk) || (SELECT count(*) FROM webhook_queues) AS versions FROM webhooks`,
};

const reportRate = (fault: string, perSecond: number, writes: number) =>
  report({
    fault: `${fault}: ${perSecond.toFixed(2)} statements per second`,
    load: "none",
    sent: 0,
    acknowledged: 0,
    wrong: writes,
  });

test("an idle server with 10 webhooks runs three statements per second at most, and writes none", async () => {
  await start(10);
  // The indexer of the search looks for messages until some time after the last event.
  await sleep(22_000);
  const before = await server.db.query(readVersions);
  const perSecond = (await countPerSecond(scale(6, 60))).statements;
  const after = await server.db.query(readVersions);
  const writes = before[0]?.versions === after[0]?.versions ? 0 : 1;
  await reportRate("an idle server with 10 webhooks", perSecond, writes);
  await server.close();
  expect(perSecond).toBeLessThanOrEqual(3);
  expect(after).toEqual(before);
});

test("a server that waits for a request before it ends looks for deliveries no more often than before", async () => {
  await start(1);
  // The beginning of a request keeps the server from closing.
  const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${masterKey}\r\nContent-Length: 100\r\n\r\n{`,
  );
  await sleep(500);
  const closed = server.close();
  await sleep(500);
  const { statements: all, looks: perSecond } = await countPerSecond(4);
  await reportRate("a server that ends, with an open request and a webhook", all, 0);
  socket.destroy();
  await closed;
  expect(perSecond).toBeLessThanOrEqual(1);
  // The deliveries had not stopped yet.
  expect(perSecond).toBeGreaterThan(0);
});
