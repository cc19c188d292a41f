import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { expectWithinIfLong, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { measureAttack } from "./measure-attack";
import { type ServerProcess, startProcess } from "./process";

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
beforeAll(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

const key = `Authorization: Bearer ${masterKey}\r\n`;
const post = `POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${key}`;

function open(): Socket {
  const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

/**
 * Sends raw bytes, and returns what is received until the server closes the connection or stays silent after a
 * response.
 */
function exchange(bytes: string | Buffer, silenceMs = 500): Promise<string> {
  return new Promise((resolve) => {
    const socket = open();
    let received = "";
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(5_000, end);
    socket.on("data", (chunk) => {
      received += chunk;
      socket.setTimeout(silenceMs);
    });
    socket.on("close", end);
    socket.write(bytes);
  });
}

const statusesOf = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

const body = '{"user_id": "smuggled", "name": "S"}';
const smuggled = `GET /v1/users HTTP/1.1\r\nHost: x\r\n${key}\r\n`;

test.each([
  ["both lengths", `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["two lengths", `${post}Content-Length: 0\r\nContent-Length: 36\r\n\r\n${body}`],
  ["a length with a sign", `${post}Content-Length: +36\r\n\r\n${body}`],
  ["a length in hex", `${post}Content-Length: 0x24\r\n\r\n${body}`],
  ["an unknown transfer encoding", `${post}Transfer-Encoding: xchunked\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`],
  ["chunked, then another", `${post}Transfer-Encoding: chunked, identity\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`],
  ["a space before the colon", `${post}Transfer-Encoding : chunked\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`],
  ["a folded header", `${post}X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`],
  [
    "a bare line feed in a header",
    `${post}X-A: b\nTransfer-Encoding: chunked\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`,
  ],
  ["a bare carriage return", `${post}X-A: b\rTransfer-Encoding: chunked\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`],
  ["a NUL in a header", `${post}X-A: \0\r\n\r\n`],
  [
    "a chunk size that overflows",
    `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${body}\r\n0\r\n\r\n`,
  ],
  [
    "an old version with chunks",
    `${post.replace("1.1", "1.0")}Transfer-Encoding: chunked\r\n\r\n24\r\n${body}\r\n0\r\n\r\n`,
  ],
  ["not HTTP", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03garbage\r\n\r\n"],
  ["a header of 100 kB", `${post}X-A: ${"a".repeat(100_000)}\r\n\r\n`],
  ["ten thousand headers", `${post}${"X-A: b\r\n".repeat(10_000)}\r\n`],
  ["a path of 100 kB", `GET /v1/users?name=${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n${key}\r\n`],
])("%s is rejected, and what follows is not parsed as a request", async (_what, bytes) => {
  const statuses = statusesOf(await exchange(bytes));
  expect(statuses.length).toBeLessThanOrEqual(1);
  for (const status of statuses) expect([400, 413, 415, 431]).toContain(status);
  expect((await call(server.url, "GET", "/v1/users/smuggled")).status).toBe(404);
});

test("requests in one packet get responses in order, and garbage after them closes the connection", async () => {
  const health = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  expect(statusesOf(await exchange(health.repeat(50)))).toEqual(Array(50).fill(200));
  const statuses = statusesOf(await exchange(`${health.repeat(50)}GARBAGE\r\n\r\n${health}`));
  expect(statuses.at(-1)).toBe(400);
  expect(statuses.filter((status) => status !== 200)).toEqual([400]);
});

test.each([
  ["a declared body of 100 MB", `${post}Content-Length: 100000000\r\n\r\n`, 413],
  ["a compressed body", `${post}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde`, 415],
  [
    "invalid UTF-8",
    Buffer.concat([Buffer.from(`${post}Content-Length: 12\r\n\r\n{"name": "`), Buffer.of(0xff, 0x7d)]),
    400,
  ],
  ["a byte order mark", `${post}Content-Length: 5\r\n\r\n\uFEFF{}`, 400],
  ["20,000 brackets", `${post}Content-Length: 40000\r\n\r\n${"[".repeat(20_000)}${"]".repeat(20_000)}`, 400],
  [
    "an object of 20,000 levels",
    `${post}Content-Length: 120002\r\n\r\n${'{"a":'.repeat(20_000)}{}${"}".repeat(20_000)}`,
    400,
  ],
  [
    "a string for catastrophic backtracking",
    `${post}Content-Length: 60026\r\n\r\n{"user_id": "${"a".repeat(60_000)}!!!!!!!!!!!"}`,
    400,
  ],
])("%s is rejected immediately", async (_what, bytes, status) => {
  const startedAt = performance.now();
  const received = await exchange(bytes);
  expect(statusesOf(received)).toEqual([status]);
  expect(received).toContain("application/problem+json");
  // Includes the silence after the response.
  expectWithinIfLong(1_000, performance.now() - startedAt);
});

const closing = post.replace("\r\n", "\r\nConnection: close\r\n");
const nested = `${'{"a":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
const repeated = `{"user_id": "${"a".repeat(500_000)}!"}`;
const manyKeys = `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":0`).join(",")}}`;
const manyMembers = `{"members": [${Array(400_000).fill(1).join(",")}]}`;

test.each([
  ["an object of 20,000 levels", nested],
  ["a string of 500,000 letters", repeated],
  ["60,000 keys", manyKeys],
  ["an array of 400,000 values", manyMembers],
])("%s does not delay concurrent requests", async (what, body) => {
  const bytes = `${closing}Content-Length: ${body.length}\r\n\r\n${body}`;
  const maxDurations: number[] = [];
  for (let round = 0; round < scale(3, 100); round++) {
    let hasResponded = false;
    const rejected = exchange(bytes).then((received) => {
      hasResponded = true;
      expect(statusesOf(received)).toEqual([400]);
    });
    let maxMs = 0;
    while (!hasResponded) {
      const sentAt = performance.now();
      expect((await call(server.url, "GET", "/healthz")).status).toBe(200);
      maxMs = Math.max(maxMs, performance.now() - sentAt);
    }
    await rejected;
    maxDurations.push(maxMs);
  }
  // The median, because delays of a busy machine do not occur in every round.
  const medianMs = maxDurations.toSorted((a, b) => a - b)[Math.floor(maxDurations.length / 2)] ?? Number.NaN;
  await report({
    fault: `${what}; slowest concurrent health check ${medianMs.toFixed(1)} ms, median of the rounds`,
    load: "1 client",
    sent: maxDurations.length,
    acknowledged: maxDurations.length,
  });
  expectWithinIfLong(20, medianMs);
});

test.each([
  ["application/json", 413],
  ["text/plain", 415],
])("a client that sends 5 MB of %s without waiting receives the error", async (type, status) => {
  const headers = { Authorization: `Bearer ${masterKey}`, "Content-Type": type };
  const sent = { method: "POST", headers, body: "x".repeat(5_000_000) };
  for (let count = 0; count < 10; count++)
    expect((await fetch(`${server.url}/v1/users`, sent)).status).toBe(status);
});

test("an endless body is rejected after 1 MB, and memory stays constant", async () => {
  const before = await server.residentMegabytes();
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const floods = await Promise.all(
    Array.from({ length: scale(10, 50) }, async () => {
      const socket = open();
      socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n`);
      let received = "";
      socket.on("data", (bytes) => {
        received += bytes;
      });
      let chunks = 0;
      while (chunks < 1_600 && !socket.destroyed && received === "") {
        socket.write(chunk);
        chunks += 1;
        await sleep(1);
      }
      await sleep(50);
      socket.destroy();
      return { received, chunks };
    }),
  );
  // The response may be lost, because the server closes the connection of a client that is still sending.
  for (const { received, chunks } of floods) {
    expect(chunks).toBeLessThan(1_600);
    // 429: the bodies that are being read take as much memory as those of one key may.
    if (received !== "") expect([[413], [429]]).toContainEqual(statusesOf(received));
  }
  expect((await server.residentMegabytes()) - before).toBeLessThan(150);
});

const chunked = `${closing}Transfer-Encoding: chunked\r\n\r\n`;
const inSingleByteChunks = (text: string) => text.replaceAll(/./g, "1\r\n$&\r\n");

test("a body may have 4,096 chunks, and one with more is rejected", async () => {
  const send = (length: number) =>
    exchange(
      `${chunked}${inSingleByteChunks(JSON.stringify({ user_id: "chunked", name: "C" }).padEnd(length))}0\r\n\r\n`,
    );
  expect(statusesOf(await send(4_096))).toEqual([201]);
  expect(statusesOf(await send(4_097))).toEqual([413]);
  const megabyte = Buffer.from(`${chunked}${inSingleByteChunks(" ".repeat(limits.bodyBytes))}0\r\n\r\n`);
  await measureAttack("five bodies of 1 MB in chunks of one byte", server, async () => {
    // When the server closes the connection of a client that is still sending, the response may be lost.
    for (let round = 0; round < scale(1, 20); round++) {
      const received = await Promise.all(Array.from({ length: 5 }, () => exchange(megabyte)));
      for (const status of received.flatMap(statusesOf)) expect(status).toBe(413);
    }
  });
});

test("incomplete bodies in chunks of one byte take little more memory than their bytes", async () => {
  const sockets = Array.from({ length: 320 }, open);
  const unfinished = Buffer.from(`${chunked}${inSingleByteChunks(" ".repeat(4_000))}`);
  await measureAttack("320 unfinished bodies of 4,000 chunks of one byte", server, async () => {
    for (const socket of sockets) {
      socket.write(unfinished);
      await sleep(20);
    }
    await sleep(1_000);
  });
  for (const socket of sockets) socket.destroy();
});

test("slow and silent connections are closed, and delay no other request", async () => {
  const sockets: ReturnType<typeof open>[] = [];
  while (sockets.length < scale(300, 2_000)) {
    sockets.push(open());
    // More than the queue of the port holds would seem connected, without the server knowing of them.
    if (sockets.length % 200 === 0) await sleep(50);
  }
  const closed = sockets.map(
    (socket) => new Promise<number>((resolve) => socket.once("close", () => resolve(performance.now()))),
  );
  const startedAt = performance.now();
  sockets.forEach((socket, index) => {
    socket.resume();
    if (index % 3 === 1) socket.write("GET /v1/users HTTP/1.1\r\nX-Slow: ");
    if (index % 3 === 2) socket.write(`${post}Content-Length: 100\r\n\r\n{`);
  });
  const drip = setInterval(() => {
    for (const [index, socket] of sockets.entries()) if (index % 3 > 0 && socket.writable) socket.write("a");
  }, 500);
  const tookMs: number[] = [];
  for (let count = 0; count < scale(300, 2_000); count++) {
    const sentAt = performance.now();
    expect((await call(server.url, "GET", "/v1/users/kim_01")).status).toBe(200);
    tookMs.push(performance.now() - sentAt);
  }
  const lastAt = Math.max(...(await Promise.all(closed)));
  clearInterval(drip);
  const p99 = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0;
  await report({
    fault: `slow sockets, all closed after ${Math.round(lastAt - startedAt)} ms; p99 of a get ${p99.toFixed(1)} ms`,
    load: `${sockets.length} sockets`,
    sent: tookMs.length,
    acknowledged: tookMs.length,
    maxOutageMs: Math.max(...tookMs),
  });
  expectWithinIfLong(15_000, lastAt - startedAt);
  expectWithinIfLong(20, p99);
});

test("no request crashed the process or caused an internal error", async () => {
  expect((await call(server.url, "GET", "/v1/users/kim_01")).status).toBe(200);
  expect(server.output()).not.toContain('"code":"internal"');
  expect(server.output()).not.toContain("request failed");
  expect(server.output()).not.toContain(masterKey.slice(0, 12));
});

test.each([
  ["no Host header", `GET /v1/users HTTP/1.1\r\n${key}\r\n`],
  ["an unknown expectation", `GET /v1/users HTTP/1.1\r\nHost: x\r\n${key}Expect: miracles\r\n\r\n`],
  ["the method CONNECT", `CONNECT /v1/users HTTP/1.1\r\nHost: x\r\n${key}\r\n`],
])("a request with %s is rejected with problem details", async (_, bytes) => {
  const received = await exchange(bytes);
  expect(statusesOf(received)).toEqual([400]);
  expect(received).toContain("application/problem+json");
  expect(received).toMatch(/X-Request-Id: /i);
});

test("100 Continue is sent only if the body will be read", async () => {
  const head =
    "POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n";
  expect(statusesOf(await exchange(`${head}Content-Length: 2\r\n\r\n`))).toEqual([401]);
  expect(statusesOf(await exchange(`${head}${key}Content-Length: 5000000\r\n\r\n`))).toEqual([413]);
  expect(statusesOf(await exchange(`${head}${key}Content-Length: 2\r\n\r\n{}`))).toEqual([100, 400]);
});

test("a conditional request does not get 304", async () => {
  const received = await exchange(`GET /v1/users HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n${key}\r\n`);
  expect(statusesOf(received)).toEqual([200]);
});

test("an unknown query parameter after thousands of empty ones is rejected", async () => {
  const received = await exchange(
    `GET /v1/users?limit=5${"&".repeat(3000)}surprise=1 HTTP/1.1\r\nHost: x\r\n${key}\r\n`,
  );
  expect(statusesOf(received)).toEqual([400]);
  expect(received).toContain("surprise");
});
