import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { isLong, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { formatTimes, sendAtRate } from "./paced-sends";
import { type ServerProcess, startProcess } from "./process";

const user = "kim_01";
const channels = Array.from({ length: 16 }, (_, index) => `stream_${index}`);

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
beforeAll(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await post("/v1/users", { user_id: user, name: "Kim" });
  for (const channel_id of channels)
    await post("/v1/group/channels", { channel_id, name: "Stream", members: [user], reuse: false });
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
  const body = { user_id: user, type: "text", content };
  const path = `/v1/group/channels/${channels[index % channels.length]}/messages`;
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

/** A client that resumes from its cursor whenever its stream ends, as the SDK does. */
interface Client {
  /** How often it resumed. */
  readonly resumed: number;
  close(): void;
}

const marker = '"content":"';
const cursorMarker = "\nid: ";

/** Reports the content of each message. Cheap, so that this process keeps up with a thousand streams. */
async function listen(onContent: (content: string) => void): Promise<Client> {
  let isClosed = false;
  const client = {
    resumed: 0,
    close() {
      isClosed = true;
      stream.destroy();
    },
  };
  let cursor = "latest";
  const open = async () => {
    const response = await openStream(`after=${cursor}&types=message.created`);
    expect(response.statusCode).toBe(200);
    let rest = "\n";
    response.setEncoding("latin1").on("data", (chunk: string) => {
      rest += chunk;
      const end = rest.lastIndexOf("\n\n");
      if (end === -1) return;
      const blocks = rest.slice(0, end + 1);
      rest = rest.slice(end + 1);
      for (let at = blocks.indexOf(marker); at !== -1; at = blocks.indexOf(marker, at)) {
        at += marker.length;
        onContent(blocks.slice(at, blocks.indexOf('"', at)));
      }
      const begin = blocks.lastIndexOf(cursorMarker) + cursorMarker.length;
      cursor = blocks.slice(begin, blocks.indexOf("\n", begin));
    });
    response.once("error", () => undefined).once("close", resume);
    return response;
  };
  const resume = async () => {
    if (isClosed) return;
    client.resumed++;
    stream = await open();
    if (isClosed) stream.destroy();
  };
  let stream = await open();
  return client;
}

async function until(isDone: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !isDone() && Date.now() < deadline; ) await sleep(20);
}

test("a listener gets each event soon after the response to its sender", async () => {
  const rate = { perSecond: scale(50, 500), seconds: scale(2, 20) };
  const arrivedAt = new Map<string, number>();
  const stream = await listen((content) => arrivedAt.set(content, performance.now()));
  const stored = [...(await sendAtRate({ url: server.url, user, channels, ...rate }))];
  const missing = () => stored.filter(([content]) => !arrivedAt.has(content)).length;
  await until(() => missing() === 0);
  stream.close();
  const latencies = stored.map(([content, { respondedAt }]) =>
    Math.max(0, (arrivedAt.get(content) ?? Number.POSITIVE_INFINITY) - respondedAt),
  );
  await report({
    fault: `events at ${rate.perSecond} sends per second; from the response to the event ${formatTimes(latencies)}`,
    load: "1 stream",
    sent: rate.perSecond * rate.seconds,
    acknowledged: stored.length,
    lost: missing(),
  });
  expect(missing()).toBe(0);
});

test("many streams get every event once and in order, and one more than the limit is rejected", async () => {
  const megabytesBefore = await server.residentMegabytes();
  const received: string[][] = [];
  const streams: Client[] = [];
  // The limit of a process, with the places that only the master key has.
  for (let index = 0; index < scale(20, 1_100); index++) {
    const contents: string[] = [];
    received.push(contents);
    streams.push(await listen((content) => contents.push(content)));
  }
  if (isLong) {
    const rejected = await openStream();
    expect(rejected.statusCode).toBe(429);
    expect(rejected.headers["retry-after"]).toMatch(/^([5-9]|10)$/);
    rejected.destroy();
  }
  let megabytes = 0;
  const watch = setInterval(async () => {
    megabytes = Math.max(megabytes, await server.residentMegabytes());
  }, 200);
  const rate = { perSecond: scale(50, 100), seconds: scale(2, 20) };
  const stored = [...(await sendAtRate({ url: server.url, user, channels, ...rate })).keys()];
  await until(() => received.every(({ length }) => length >= stored.length));
  clearInterval(watch);
  for (const stream of streams) stream.close();
  const resumed = streams.reduce((sum, stream) => sum + stream.resumed, 0);
  const distinct = received.map((contents) => new Set(contents));
  const lost = distinct.filter((contents) => !stored.every((content) => contents.has(content))).length;
  const duplicated = distinct.reduce(
    (sum, { size }, index) => sum + (received[index]?.length ?? 0) - size,
    0,
  );
  const wrong = received.filter((contents) => contents.join() !== received[0]?.join()).length;
  await report({
    fault: `events to many streams, ${rate.perSecond} per second; memory grows from ${Math.round(megabytesBefore)} to ${Math.round(megabytes)} MB; ${resumed} clients were cut and resumed`,
    load: `${received.length} streams`,
    sent: rate.perSecond * rate.seconds,
    acknowledged: stored.length,
    ...{ lost, duplicated, wrong },
  });
  expect({ lost, duplicated, wrong }).toEqual({ lost: 0, duplicated: 0, wrong: 0 });
  if (isLong) expect(megabytes - megabytesBefore).toBeLessThan(100);
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
    // Two rounds in one batch would be more than a client may leave unread.
    await until(() => received >= sent);
  }
  await until(() => received >= sent);
  expect(received).toBeGreaterThanOrEqual(sent);
  healthy.close();
  let bytes = 0;
  slow.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const end = new Promise((resolve) => slow.once("error", resolve).once("close", resolve));
  slow.resume();
  await end;
  expect(bytes).toBeLessThan(sent * 3 * 8_192);
});
