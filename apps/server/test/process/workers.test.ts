import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { listening, type RunningProgram, runProgram } from "../support/program";

const masterKey = `mk_${randomBytes(24).toString("base64url")}`;
let server: RunningProgram | undefined;
const database = await createDatabase();
afterAll(database.drop);
afterEach(() => server?.end("SIGTERM"));

/** Starts the server. Resolves with its URL when all workers are ready. */
async function start(settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { DATABASE_URL: database.url, MADANG_MASTER_KEY: masterKey };
  server = runProgram(["start", "--workers", "2"], { ...env, ...settings });
  const [[, url = ""]] = await Promise.all([
    server.untilPrinted(listening),
    server.untilPrinted(/("worker ready"[\s\S]*){2}/),
  ]);
  return url;
}

const call = (url: string, path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: {
      authorization: `Bearer ${masterKey}`,
      "content-type": "application/json",
      connection: "close",
    },
  });

function listWorkers(): number[] {
  const pid = server?.child.pid;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

test.runIf(process.platform === "linux")(
  "several workers serve one port, a killed one is replaced, and all stop together",
  async () => {
    const url = await start();
    const body = JSON.stringify({ user_id: "kim_01", name: "Kim" });
    expect((await call(url, "/v1/users", { method: "POST", body })).status).toBe(201);
    for (let count = 0; count < 20; count += 1)
      expect((await call(url, "/v1/users/kim_01")).status).toBe(200);

    const [first, second, ...others] = listWorkers();
    expect([typeof first, typeof second, others]).toEqual(["number", "number", []]);
    process.kill(first ?? 0, "SIGKILL");
    await expect.poll(() => listWorkers().filter((pid) => pid !== first)).toHaveLength(2);
    for (let count = 0; count < 20; count += 1)
      expect((await call(url, "/v1/users/kim_01")).status).toBe(200);

    const workers = listWorkers();
    expect(await server?.end("SIGTERM")).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow();
  },
);

/** Sends a request on a new connection, optionally from a local address. */
function request(
  url: string,
  path: string,
  localAddress?: string,
  key = masterKey,
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    get(url + path, { agent: false, headers, localAddress }, ({ statusCode }) => resolve(statusCode)).once(
      "error",
      reject,
    );
  });
}

test.runIf(process.platform === "linux")(
  "of a worker that does not respond, at most one new connection is lost; the others are served",
  async () => {
    const url = await start();
    const [stuck = 0] = listWorkers();
    process.kill(stuck, "SIGSTOP");
    let served = 0;
    for (let count = 0; count < 40; count++)
      void request(url, "/v1/users").then(
        () => served++,
        () => undefined,
      );
    await expect.poll(() => served).toBeGreaterThanOrEqual(39);
    process.kill(stuck, "SIGKILL");
    expect(await request(url, "/v1/users")).toBe(200);
  },
);

test.runIf(process.platform === "linux")(
  "workers ignore signals, which the primary process handles",
  async () => {
    const url = await start();
    const workers = listWorkers();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
      for (const pid of workers) process.kill(pid, signal);
    await sleep(1_000);
    expect(listWorkers()).toEqual(workers);
    expect(await request(url, "/v1/users")).toBe(200);
  },
);

test.runIf(process.platform === "linux")("all workers exit when the primary process is killed", async () => {
  await start();
  const workers = listWorkers();
  server?.child.kill("SIGKILL");
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(() => workers.some(isAlive)).toBe(false);
});

test.runIf(process.platform === "linux")(
  "a worker knows the client address, and limits wrong keys per address",
  async () => {
    const url = await start({ MADANG_AUTH_FAILURE_LIMIT: "1/60s" });
    const guess = (from: string) => request(url, "/v1/users", from, "mk_wrong-key-0123456789");
    const first = [await guess("127.0.0.2"), await guess("127.0.0.2"), await guess("127.0.0.2")];
    for (let count = 0; count < 20; count++) first.push(await guess("127.0.0.2"));
    expect(first.at(0)).toBe(401);
    expect(first.at(-1)).toBe(429);
    expect(await guess("127.0.0.3")).toBe(401);
  },
);

test("a metrics port that is in use ends the start with its reason, whichever worker it belongs to", async () => {
  for (const worker of [0, 1]) {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = (other.address() as AddressInfo).port;
    server = runProgram(["start", "--workers", "2"], {
      DATABASE_URL: database.url,
      MADANG_MASTER_KEY: masterKey,
      MADANG_METRICS_PORT: String(taken - worker),
    });
    const { code, output } = await server.ended;
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`MADANG_METRICS_PORT ${taken} is in use on 127.0.0.1.`);
    expect(output).not.toContain("starting another");
  }
});

test("a worker closes silent connections", async () => {
  const url = new URL(await start());
  const sockets = Array.from({ length: 4 }, () => createConnection(Number(url.port), url.hostname));
  const received = await Promise.all(
    sockets.map(async (socket) => {
      socket.write("GET /v1/users HTTP/1.1\r\nX-Slow: ");
      let text = "";
      for await (const chunk of socket) text += chunk;
      return text;
    }),
  );
  for (const text of received) expect(text).toContain("did not arrive in time");
});

test("a port in use ends all workers with one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = other.address() as AddressInfo;
  await expect(start({ PORT: String(port) })).rejects.toThrow(`PORT ${port} is in use`);
  expect((await server?.ended)?.code).toBe(1);
  other.close();
});

test("each worker serves its metrics on a port of its own, counted up", async () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  await start({ MADANG_METRICS_PORT: String(port) });
  for (const own of [port, port + 1])
    expect((await fetch(`http://127.0.0.1:${own}/metrics`)).status).toBe(200);
});

test.each(["0", "11", "two", "1.5"])("--workers %s is an error", async (workers) => {
  expect((await runProgram(["start", "--workers", workers], {}).ended).code).toBe(2);
});
