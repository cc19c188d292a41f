import { once } from "node:events";
import { maxHeaderSize, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Timeouts } from "./http-server";
import { listen, type RunningServer } from "./listen";

const longTimeouts = {
  headersTimeout: 60_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  timeout: 60_000,
  connectionsCheckingInterval: 50,
};
let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close(0);
});

async function serve(handle: RequestListener, timeouts: Partial<Timeouts> = {}): Promise<Socket> {
  server = await listen(handle, { PORT: 0, HOST: "127.0.0.1" }, { ...longTimeouts, ...timeouts });
  return connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => undefined);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function readAll(socket: Socket): Promise<string> {
  let received = "";
  for await (const chunk of socket) received += chunk;
  return received;
}

test("a pipelined request is handled after the previous response is written", async () => {
  const events: string[] = [];
  const socket = await serve((request, response) => {
    events.push(`begin ${request.url}`);
    setTimeout(() => {
      events.push(`end ${request.url}`);
      response.end();
    }, 20);
  });
  socket.end(["/1", "/2", "/3"].map(get).join(""));
  await readAll(socket);
  expect(events).toEqual(["begin /1", "end /1", "begin /2", "end /2", "begin /3", "end /3"]);
});

test("for a client that reads nothing, one response is in memory, and the connection is closed", async () => {
  const responses: string[] = [];
  const closed: string[] = [];
  const handle: RequestListener = (request, response) => {
    responses.push(request.url ?? "");
    request.socket.once("close", () => closed.push("closed"));
    // More than the operating system buffers.
    response.end(Buffer.alloc(64_000_000));
  };
  const socket = await serve(handle, { timeout: 300 });
  socket.pause().write(get("/large").repeat(1_000));
  await expect.poll(() => closed).toEqual(["closed"]);
  expect(responses).toEqual(["/large"]);
});

test("a client that reads slowly gets the whole response, however long it takes", async () => {
  const handle: RequestListener = (_request, response) => void response.end(Buffer.alloc(16_000_000));
  // Less than it takes to read all, and more than a busy machine makes it wait.
  const socket = await serve(handle, { timeout: 4_000 });
  socket.write(get("/large").replace("\r\n", "\r\nConnection: close\r\n"));
  let received = 0;
  for await (const chunk of socket) {
    received += chunk.length;
    await sleep(20);
  }
  expect(received).toBeGreaterThan(16_000_000);
});

test("ten thousand pipelined requests in many packets get their responses in order", async () => {
  const socket = await serve(
    (request, response) => void response.end(`<${request.url}>${"x".repeat(2_000)}`),
  );
  const paths = Array.from({ length: 10_000 }, (_, index) => `/${index}`);
  socket.end(paths.map(get).join(""));
  const received = await readAll(socket);
  expect([...received.matchAll(/<(.+?)>/g)].map(([, path]) => path)).toEqual(paths);
});

const withLength = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`;
const inChunks = (body: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${body.replaceAll(/.{1,20}/g, (part) => `${part.length.toString(16)}\r\n${part}\r\n`)}0\r\n\r\n`;

test.each([
  ["a body", withLength],
  ["a body in small chunks", inChunks],
])("requests that are pipelined after %s that is not read also wait and get responses", async (_, encode) => {
  const socket = await serve((request, response) => {
    if (request.method === "GET") return void response.end("got");
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
    });
    request.on("end", () => setTimeout(() => response.end(`posted ${length}`), 20));
  });
  const body = "b".repeat(300_000);
  const send = (method: string) => `${method} / HTTP/1.1\r\nHost: x\r\n${encode(body)}`;
  socket.end(get("/").repeat(2) + send("POST") + get("/") + send("GET") + send("POST"));
  const received = await readAll(socket);
  expect(received.match(/got|posted \d+/g)).toEqual([
    "got",
    "got",
    "posted 300000",
    "got",
    "got",
    "posted 300000",
  ]);
});

test("a body in chunks is parsed one packet at a time, and other work runs in between", async () => {
  let turn = 0;
  let isOver = false;
  const countTurns = () => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  const chunksPerTurn = new Map<number, number>();
  const socket = await serve((request, response) => {
    request.on("data", () => chunksPerTurn.set(turn, (chunksPerTurn.get(turn) ?? 0) + 1));
    request.on("end", () => response.end());
  });
  const chunks = 1_000_000;
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  socket.end(`${head}${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`);
  await readAll(socket);
  isOver = true;
  const counts = [...chunksPerTurn.values()];
  expect(counts.reduce((sum, count) => sum + count)).toBe(chunks);
  // Node reads at most 64 kB at once. A turn may begin between two packets.
  expect(Math.max(...counts)).toBeLessThan((2 * 65_536) / 6);
});

test("a server that stops does not wait for connections that never sent anything", async () => {
  const socket = await serve((_request, response) => void response.end());
  await once(socket, "connect");
  const closed = once(socket, "close");
  const graceMs = 60_000;
  const stopped = server?.close(graceMs);
  const first = await Promise.race([closed.then(() => "closed"), sleep(graceMs / 2).then(() => "open")]);
  expect(first).toBe("closed");
  await stopped;
});

test("a server that stops responds to clients that had connected, but that it had not accepted yet", async () => {
  const first = await serve((_request, response) => void response.end());
  await once(first, "connect");
  const { port } = new URL(server?.url ?? "");
  const clients = Array.from({ length: 20 }, () => connect(Number(port), "127.0.0.1"));
  const responses = Promise.all(
    clients.map((client) => {
      client.write(get("/"));
      return readAll(client).catch((error: Error) => error.message);
    }),
  );
  const stopped = server?.close(60_000);
  expect(await responses).toEqual(clients.map(() => expect.stringContaining("HTTP/1.1 200")));
  await stopped;
});

test("a request that does not arrive in time gets 408, after the earlier responses", async () => {
  const handle: RequestListener = (_request, response) => void setTimeout(() => response.end("late"), 2_500);
  const socket = await serve(handle, { headersTimeout: 1_000, requestTimeout: 1_000 });
  socket.write(`${get("/")}GET / HTTP/1.1\r\nX-Slow: `);
  const received = await readAll(socket);
  expect(received.match(/HTTP\/1\.1 \d+|late|"code":"\w+"/g)).toEqual([
    "HTTP/1.1 200",
    "late",
    "HTTP/1.1 408",
    '"code":"request_timeout"',
  ]);
});

test("a request whose address is too long is told so", async () => {
  const socket = await serve((_request, response) => void response.end());
  socket.write(get(`/${"x".repeat(maxHeaderSize)}`));
  const received = await readAll(socket);
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(received).toContain("The address and the headers of the request have more than 16,384 bytes.");
});
