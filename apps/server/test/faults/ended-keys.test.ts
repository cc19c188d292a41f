import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { report, scale } from "../support/report";
import { startServer } from "../support/server";

const server = await startServer();
const chat = chatWith(server);
afterAll(() => server.close());

const count = scale(5, 50);

test.each([
  ["list that waits", "/v1/events?after=latest&wait=20", 401],
  ["stream", "/v1/events/stream?after=latest", 200],
])("a %s ends within a second when its key is deleted or expires", async (kind, path, expected) => {
  const open = async (key: string) => {
    const response = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    await response.text();
    return { status: response.status, endedAt: Date.now() };
  };
  const openMany = (key: string) => Promise.all(Array.from({ length: count }, () => open(key)));
  const { key: deleted } = await chat.keys.create();
  const expiresAt = Date.now() + 3_000;
  const { key: expiring } = await chat.keys.create({ expires_at: expiresAt });
  const ofDeleted = openMany(deleted);
  const ofExpiring = openMany(expiring);
  await sleep(1_500);
  const deletedAt = Date.now();
  await chat.keys.delete(deleted);
  const ended = [
    ...(await ofDeleted).map(({ status, endedAt }) => ({ status, tookMs: endedAt - deletedAt })),
    ...(await ofExpiring).map(({ status, endedAt }) => ({ status, tookMs: endedAt - expiresAt })),
  ];
  const wrong = ended.filter(({ status, tookMs }) => status !== expected || tookMs < 0).length;
  const slowestMs = Math.max(...ended.map(({ tookMs }) => tookMs));
  await report({
    fault: `a ${kind} whose key is deleted or expires ends after ${Math.round(slowestMs)} ms at most`,
    load: `${2 * count} clients`,
    sent: ended.length,
    acknowledged: ended.length,
    wrong,
    maxOutageMs: slowestMs,
  });
  expect(wrong).toBe(0);
  // A second, and what a busy machine adds.
  expect(slowestMs).toBeLessThan(scale(10_000, 1_500));
});
