import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { isLong, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { type ServerProcess, startProcess } from "./process";

const user_id = "kim_01";
const rooms = Array.from({ length: 16 }, (_, index) => `stream_${index}`);

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
beforeAll(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await post("/v1/users", { user_id, name: "Kim" });
  for (const channel_id of rooms)
    await post("/v1/group/channels", { channel_id, name: "Room", members: [user_id], reuse: false });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

async function post(path: string, body: unknown) {
  const reply = await call(server.url, "POST", path, { body });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

/** Whether the message was stored. A machine that does other work may not keep up with the rate. */
async function send(index: number, content: string): Promise<boolean> {
  const body = { user_id, type: "text", content };
  const path = `/v1/group/channels/${rooms[index % rooms.length]}/messages`;
  return call(server.url, "POST", path, { body }).then(
    ({ status }) => status === 201,
    () => false,
  );
}

function openStream(query = "after=latest"): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${masterKey}` };
    get(`${server.url}/v1/events/stream?${query}`, { headers, agent: false }, resolve).once("error", reject);
  });
}

/** The contents of the messages that arrive, each with the time. */
async function listen(onContent: (content: string) => void): Promise<IncomingMessage> {
  const response = await openStream("after=latest&types=message.created");
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, content] = /"content":"([^"]*)"/.exec(block) ?? [];
      if (content !== undefined) onContent(content);
    }
  });
  return response;
}

/** Sends messages at a rate, whatever their responses take. Returns when each response came. */
async function sendAtRate(perSecond: number, seconds: number): Promise<Map<string, number>> {
  const respondedAt = new Map<string, number>();
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const running: Promise<unknown>[] = [];
  for (let index = 0; index < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond));
    for (; index < due; index++) {
      const content = String(index);
      running.push(
        send(index, content).then((isStored) => isStored && respondedAt.set(content, performance.now())),
      );
    }
    await sleep(2);
  }
  await Promise.all(running);
  return respondedAt;
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? 0;

async function until(isDone: () => boolean): Promise<void> {
  for (let waited = 0; !isDone() && waited < 60_000; waited += 20) await sleep(20);
}

test("a listener gets each event soon after the response to its sender", async () => {
  const perSecond = scale(50, 500);
  const arrivedAt = new Map<string, number>();
  const stream = await listen((content) => arrivedAt.set(content, performance.now()));
  const respondedAt = await sendAtRate(perSecond, scale(2, 20));
  const isComplete = () => [...respondedAt.keys()].every((content) => arrivedAt.has(content));
  await until(isComplete);
  stream.destroy();
  const latencies = [...respondedAt]
    .map(([content, at]) => Math.max(0, (arrivedAt.get(content) ?? Number.POSITIVE_INFINITY) - at))
    .sort((one, other) => one - other);
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  await report({
    fault: `events at ${perSecond} sends per second; from response to event p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    load: "1 stream",
    sent: perSecond * scale(2, 20),
    acknowledged: respondedAt.size,
    lost: [...respondedAt.keys()].filter((content) => !arrivedAt.has(content)).length,
    duplicated: 0,
    wrong: 0,
    maxOutageMs: undefined,
  });
  expect(isComplete()).toBe(true);
});

test("many streams get every event once and in order, and one more than the limit is rejected", async () => {
  const count = scale(20, 1_000);
  const expected = new Map<number, string[]>();
  const streams: IncomingMessage[] = [];
  for (let index = 0; index < count; index++) {
    const contents: string[] = [];
    expected.set(index, contents);
    streams.push(await listen((content) => contents.push(content)));
  }
  if (isLong) {
    const rejected = await openStream();
    expect([rejected.statusCode, rejected.headers["retry-after"]]).toEqual([503, "1"]);
    rejected.destroy();
  }
  let megabytes = 0;
  const watch = setInterval(async () => {
    megabytes = Math.max(megabytes, await server.residentMegabytes());
  }, 200);
  const perSecond = scale(50, 100);
  const stored = [...(await sendAtRate(perSecond, scale(2, 20))).keys()];
  const all = [...expected.values()];
  const hasAll = (contents: readonly string[]) => {
    const seen = new Set(contents);
    return stored.every((content) => seen.has(content));
  };
  await until(() => all.every(hasAll));
  clearInterval(watch);
  for (const stream of streams) stream.destroy();
  const [first = []] = all;
  const lost = all.filter((contents) => !hasAll(contents)).length;
  const duplicated = all.reduce((sum, contents) => sum + contents.length - new Set(contents).size, 0);
  const wrong = all.filter((contents) => contents.join() !== first.join()).length;
  await report({
    fault: `events to many streams, ${perSecond} per second; the process holds at most ${Math.round(megabytes)} MB`,
    load: `${count} streams`,
    sent: perSecond * scale(2, 20),
    acknowledged: stored.length,
    ...{ lost, duplicated, wrong },
    maxOutageMs: undefined,
  });
  expect({ lost, duplicated, wrong }).toEqual({ lost: 0, duplicated: 0, wrong: 0 });
  if (isLong) expect(megabytes).toBeLessThan(300);
});

test("a client that does not read its stream is cut, and others get everything", async () => {
  const slow = await openStream();
  slow.pause();
  let received = 0;
  const healthy = await listen(() => received++);
  // More than the buffers of the operating system hold.
  const content = "김".repeat(8_192);
  let sent = 0;
  for (let round = 0; round < 60 && !slow.destroyed; round++) {
    const stored = await Promise.all(Array.from({ length: 16 }, (_, index) => send(index, content)));
    sent += stored.filter(Boolean).length;
  }
  await until(() => received >= sent);
  expect(received).toBeGreaterThanOrEqual(sent);
  healthy.destroy();
  let bytes = 0;
  slow.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const end = new Promise((resolve) => slow.once("error", resolve).once("close", resolve));
  slow.resume();
  await end;
  expect(bytes).toBeLessThan(sent * 3 * 8_192);
});
