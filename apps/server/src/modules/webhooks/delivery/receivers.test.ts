import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createAddressRules } from "../../../security/address-rules";
import { createReceivers, type Receivers } from "./receivers";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A server on loopback, and how many connections and requests it got. */
async function listen(handler: RequestListener, host = "127.0.0.1") {
  const got = { connections: 0, requests: 0, port: 0 };
  const server: Server = createServer((request, response) => {
    got.requests += 1;
    request.resume();
    handler(request, response);
  });
  server.on("connection", () => {
    got.connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  got.port = (server.address() as AddressInfo).port;
  return got;
}

function connect(
  exceptions: readonly string[],
  names: Record<string, readonly string[]> = {},
  timeoutMs = 30_000,
): Receivers {
  const receivers = createReceivers({
    rules: createAddressRules(exceptions),
    timeoutMs,
    hostNames: {
      async resolve(host) {
        const addresses = names[host];
        if (addresses === undefined) throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
        return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
      close: () => undefined,
    },
  });
  opened.push(receivers.close);
  return receivers;
}

const noContent: RequestListener = (_request, response) => response.writeHead(204).end();
const loopback = ["127.0.0.0/8"];

test("a receiver that an exception permits gets the headers and the body, over one connection", async () => {
  const bodies: string[] = [];
  const got = await listen(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(`${request.method} ${request.url} ${request.headers["webhook-id"]} ${body}`);
    response.end("thanks");
  });
  const receivers = connect(loopback);
  for (const id of ["1", "2"])
    expect(await receivers.post(`http://127.0.0.1:${got.port}/a?b=c`, { "webhook-id": id }, "{}")).toEqual({
      status: 200,
      durationMs: expect.any(Number),
      error: null,
    });
  expect(bodies).toEqual(["POST /a?b=c 1 {}", "POST /a?b=c 2 {}"]);
  expect(got.connections).toBe(1);
});

test.each([
  "127.0.0.1",
  "127.1",
  "0x7f.0.0.1",
  "0x7f000001",
  "0177.0.0.1",
  "017700000001",
  "2130706433",
  "127.0.0.1.",
  "１２７.0.0.1",
  "127。0。0。1",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::127.0.0.1]",
  "localhost",
  "LOCALHOST.",
])("the server's own network is not reached by the host %s", async (host) => {
  const got = await listen(noContent, "::");
  const receivers = connect([], { localhost: ["127.0.0.1"], "localhost.": ["::1"] });
  for (const scheme of ["http", "https"]) {
    const url = `${scheme}://${host}:${got.port}/`;
    expect(await receivers.findUrlError(url)).toMatch(/MADANG_WEBHOOK_ALLOW/);
    expect((await receivers.post(url, {}, "{}")).error).toMatch(/MADANG_WEBHOOK_ALLOW/);
  }
  expect(got.connections).toBe(0);
});

test("a receiver has 15 seconds to respond", async () => {
  // They are over at once.
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
  onTestFinished(() => timeout.mockRestore());
  const got = await listen(noContent);
  const receivers = createReceivers({ rules: createAddressRules(loopback) });
  opened.push(receivers.close);
  expect(await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}")).toMatchObject({
    error: "There was no response within 15 s.",
  });
  expect(timeout).toHaveBeenCalledWith(15_000);
});

test("one internal address among those of a name is enough to reject it", async () => {
  const got = await listen(noContent);
  const receivers = connect([], { "mixed.test": ["8.8.8.8", "127.0.0.1"] });
  const url = `https://mixed.test:${got.port}/`;
  expect(await receivers.findUrlError(url)).toMatch(/own network/);
  expect((await receivers.post(url, {}, "{}")).error).toMatch(/own network/);
  expect(got.connections).toBe(0);
});

test("a name that changes after the check is checked again where the connection is opened", async () => {
  const got = await listen(noContent);
  const names = { "changing.test": ["8.8.8.8"] };
  const receivers = connect([], names);
  const url = `https://changing.test:${got.port}/`;
  expect(await receivers.findUrlError(url)).toBeUndefined();
  names["changing.test"] = ["127.0.0.1"];
  expect((await receivers.post(url, {}, "{}")).error).toMatch(/own network/);
  expect(got.connections).toBe(0);
});

test("a name is resolved once for a connection: the address that was checked is the one connected to", async () => {
  const got = await listen(noContent);
  let lookups = 0;
  const receivers = createReceivers({
    rules: createAddressRules(["127.0.0.1/32"]),
    hostNames: {
      resolve: async () => [{ address: ++lookups === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
      close: () => undefined,
    },
  });
  opened.push(receivers.close);
  expect(await receivers.post(`http://rebinding.test:${got.port}/`, {}, "{}")).toMatchObject({ status: 204 });
  expect(lookups).toBe(1);
});

test("a name that cannot be resolved is accepted with https:, but not with http:", async () => {
  const receivers = connect([]);
  expect(await receivers.findUrlError("https://unknown.test/")).toBeUndefined();
  expect(await receivers.findUrlError("http://unknown.test/")).toMatch(/https:/);
  expect((await receivers.post("https://unknown.test/", {}, "{}")).error).toMatch(/ENOTFOUND/);
});

test("http: is permitted only for exceptions", async () => {
  const receivers = connect(["10.0.0.0/8"], { "public.test": ["8.8.8.8"], "internal.test": ["10.0.0.1"] });
  expect(await receivers.findUrlError("http://public.test/")).toMatch(/https:/);
  expect(await receivers.findUrlError("http://8.8.8.8/")).toMatch(/https:/);
  expect(await receivers.findUrlError("http://internal.test/")).toBeUndefined();
  expect(await receivers.findUrlError("http://10.1.2.3/")).toBeUndefined();
});

test.each([301, 302, 303, 307, 308])("a redirect with %d is not followed", async (status) => {
  const internal = await listen(noContent);
  const got = await listen((_request, response) =>
    response.writeHead(status, { Location: `http://127.0.0.1:${internal.port}/` }).end(),
  );
  const receivers = connect(loopback);
  expect(await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}")).toMatchObject({ status });
  expect(internal.connections).toBe(0);
});

test("a response whose body never ends counts by its status, and its connection is closed", async () => {
  const closed: Promise<void>[] = [];
  const got = await listen((request, response) => {
    closed.push(new Promise((done) => request.socket.on("close", () => done())));
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(1_000)), 20);
    response.on("close", () => clearInterval(timer));
  });
  const receivers = connect(loopback);
  expect(await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}")).toMatchObject({ status: 200 });
  expect(closed).toHaveLength(1);
  await Promise.all(closed);
});

test("only part of a large response body is read", async () => {
  let sent = 0;
  const got = await listen((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  });
  const receivers = connect(loopback);
  expect(await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}")).toMatchObject({ status: 200 });
  expect(sent).toBeLessThan(50_000_000);
});

test.each([
  ["that never responds", () => undefined],
  [
    "whose headers never end",
    ((request) => {
      request.socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => request.socket.write("x-more: 1\r\n"), 20);
      request.socket.on("close", () => clearInterval(timer));
    }) satisfies RequestListener,
  ],
] as const)("a receiver %s fails after the timeout", async (_which, handler) => {
  const got = await listen(handler);
  const receivers = connect(loopback, {}, 500);
  const { error, status } = await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}");
  expect([status, error]).toEqual([null, "There was no response within 0.5 s."]);
});

/** A receiver on a raw socket, which writes the same again and again until the connection is closed. */
async function listenRaw(text: string) {
  const got = { port: 0, writes: 0 };
  const server = createTcpServer((socket) => {
    const write = () => {
      got.writes += 1;
      if (!socket.destroyed) socket.write(text, () => setImmediate(write));
    };
    socket.on("error", () => undefined).once("data", write);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  opened.push(() => new Promise((done) => server.close(done)));
  got.port = (server.address() as AddressInfo).port;
  return got;
}

test("a receiver that switches protocols fails with status 101", async () => {
  const got = await listenRaw(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
  );
  const outcome = await connect(loopback).post(`http://127.0.0.1:${got.port}/`, {}, "{}");
  expect(outcome).toEqual({ status: 101, durationMs: expect.any(Number), error: null });
});

test.each(["100 Continue", "103 Early Hints"])(
  "a receiver that sends %s without end is cut off",
  async (status) => {
    const got = await listenRaw(`HTTP/1.1 ${status}\r\n\r\n`);
    const outcome = await connect(loopback).post(`http://127.0.0.1:${got.port}/`, {}, "{}");
    expect(outcome.error).toBe("The receiver sent more than 10 interim responses.");
    expect(got.writes).toBeLessThan(1_000);
  },
);

test("a connection that is refused fails with its code", async () => {
  const got = await listen(noContent);
  for (const close of opened.splice(0)) await close();
  const receivers = connect(loopback);
  const { error } = await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}");
  expect(error).toBe("The connection failed (ECONNREFUSED).");
});

test("a receiver that closes idle connections still gets every delivery", async () => {
  const got = await listen((request, response) => {
    response.writeHead(204).end();
    // Closed without `Connection: close`, as when a receiver restarts.
    setImmediate(() => request.socket.destroy());
  });
  const receivers = connect(loopback);
  for (let count = 0; count < 20; count++)
    expect(await receivers.post(`http://127.0.0.1:${got.port}/`, {}, "{}")).toMatchObject({ status: 204 });
  expect(got.requests).toBeGreaterThanOrEqual(20);
});
