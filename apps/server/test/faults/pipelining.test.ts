import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/db/connect";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { expectWithinIfLong, isLong } from "../support/report";
import { masterKey } from "../support/server";
import { measureAttack } from "./measure-attack";
import { type ServerProcess, startProcess } from "./process";

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
beforeAll(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  await call(server.url, "POST", "/v1/group/channels", {
    body: { channel_id: "room_1", name: "Lunch", members: ["kim_01"], reuse: false },
  });
  await sendMany(1_000);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

/** Stores messages of 500 bytes, for a page of about 700 kB. */
async function sendMany(count: number): Promise<void> {
  const db = connect({
    url: database.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
    onIdleError: () => undefined,
  });
  await db.query(
    {
      name: "test.send-many",
      text: `INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content)
        SELECT channels.pk, users.pk, n, n, 'text', repeat('x', 500)
        FROM channels, users, generate_series(1, $1::int) AS n`,
    },
    [count],
  );
  await db.close();
}

const key = `Authorization: Bearer ${masterKey}\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${key}\r\n`;
const exportPage = get("/v1/exports/group/channels/room_1/messages?limit=1000");

function post(id: string): string {
  const body = JSON.stringify({ user_id: id, name: "P" });
  return `POST /v1/users HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function open(): Socket {
  const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
  return socket.on("error", () => undefined);
}

interface Exchange {
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Sends bytes in one packet, and reads until the server closes the connection. */
async function exchange(bytes: string, isHalfClosed = false): Promise<Exchange> {
  const socket = open();
  socket.setNoDelay().write(bytes);
  if (isHalfClosed) socket.end();
  let text = "";
  for await (const chunk of socket) text += chunk;
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  return { statuses, text };
}

const pageRequest = "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n";
const closing = get("/healthz").replace("\r\n", "\r\nConnection: close\r\n");

test.each([
  ["garbage", "GARBAGE\r\n\r\n"],
  ["a request without a Host", `GET /v1/users HTTP/1.1\r\n${key}\r\n`],
  ["a request with two Hosts", `GET /v1/users HTTP/1.1\r\nHost: x\r\nHost: y\r\n${key}\r\n`],
  ["an unknown expectation", `GET /v1/users HTTP/1.1\r\nHost: x\r\n${key}Expect: miracles\r\n\r\n`],
  ["CONNECT", `CONNECT x:80 HTTP/1.1\r\nHost: x\r\n${key}\r\n`],
  [
    "gzip, chunked",
    `POST /v1/users HTTP/1.1\r\nHost: x\r\n${key}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  ["a header line without a colon", `GET /v1/users HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n`],
])(
  "requests before %s get responses in order, then it is rejected and the connection is closed",
  async (_what, bytes) => {
    for (const isHalfClosed of [false, true]) {
      const id = `before_${Math.random().toString(36).slice(2)}`;
      const packet = `${post(id)}${get("/v1/users/kim_01")}${bytes}${post(`${id}_after`)}`;
      const { statuses, text } = await exchange(packet, isHalfClosed);
      expect(statuses).toEqual([201, 200, 400]);
      expect(text).toContain(`"user_id":"${id}"`);
      const rejection = text.slice(text.indexOf("HTTP/1.1 400"));
      expect(rejection).toContain("application/problem+json");
      expect(rejection).toMatch(/^x-request-id: /im);
      expect((await call(server.url, "GET", `/v1/users/${id}`)).status).toBe(200);
      expect((await call(server.url, "GET", `/v1/users/${id}_after`)).status).toBe(404);
    }
  },
);

test("a client that sends CONNECT and resets the connection does not crash the process", async () => {
  for (let count = 0; count < 20; count++) {
    const socket = open();
    socket.write(`${get("/v1/users")}CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await sleep(count);
    socket.resetAndDestroy();
  }
  await sleep(100);
  server.requireAlive();
});

test("many requests in few packets each get one response, in order", async () => {
  const ids = Array.from({ length: 300 }, (_, index) => `order_${index}`);
  const packet = ids.map((id, index) => (index % 3 === 2 ? get(`/v1/users/${ids[index - 1]}`) : post(id)));
  const { text } = await exchange(packet.join("") + closing);
  const responses = [...text.matchAll(/"user_id":"(order_\d+)"/g)].map(([, id]) => id);
  expect(responses).toEqual(ids.map((id, index) => (index % 3 === 2 ? ids[index - 1] : id)));
});

test("a malformed body fails its own request, and earlier requests get responses", async () => {
  const head = `POST /v1/users HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\n`;
  const { statuses } = await exchange(
    `${post("complete_body")}${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  );
  expect(statuses).toEqual([201, 400]);
});

test.each([
  { what: "GET /docs", clients: 2, request: pageRequest, count: 1_900 },
  { what: "exports", clients: 25, request: exportPage, count: 100 },
])(
  "clients that pipeline $what and read nothing take little memory, and their connections are closed",
  async ({ what, clients, request, count }) => {
    const sockets: Socket[] = [];
    // First, the same requests of clients that read, so that the heap has its final size.
    await Promise.all(Array.from({ length: clients }, () => exchange(request.repeat(10) + closing)));
    const startedAt = performance.now();
    await measureAttack(`${clients} clients pipeline ${what} and read nothing`, server, async () => {
      for (let index = 0; index < clients; index++) sockets.push(open().pause());
      for (const socket of sockets) socket.write(request.repeat(count));
      // The short form measures the memory. http-server.test.ts waits for the end, with shorter timeouts.
      await sleep(3_000);
      if (!isLong) return;
      for (const { localPort = 0 } of sockets) while (await server.isConnected(localPort)) await sleep(100);
    });
    for (const socket of sockets) socket.destroy();
    // 15 seconds without progress, noticed within another 15, after some progress at the start.
    expectWithinIfLong(35_000, performance.now() - startedAt);
  },
);
