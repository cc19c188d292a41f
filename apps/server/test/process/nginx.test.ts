import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { errors, limits } from "@madang/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { masterKey } from "../support/server";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy";

// Other systems have no second loopback address to call from.
const hasNginx = process.platform === "linux" && spawnSync("nginx", ["-v"]).status === 0;
const guesses = 3;

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
let wire: TcpProxy;
let nginx: ChildProcess;
let folder: string;
let chat: ChatClient;
let port: number;
/** The connections that nginx made to the server and sent something on. */
const connections = new Set<unknown>();

beforeAll(async () => {
  if (!hasNginx) return;
  database = await createDatabase();
  server = await startProcess(database.url, {
    MADANG_TRUSTED_PROXIES: "1",
    MADANG_AUTH_FAILURE_LIMIT: `${guesses}/600s`,
    MADANG_KEY_HEADERS: "app_api_key",
  });
  wire = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
  wire.set({
    onRequest(bytes, { client }) {
      connections.add(client);
      return bytes;
    },
  });
  port = await findFreePort();
  folder = await mkdtemp(join(tmpdir(), "madang-nginx-"));
  chat = new ChatClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: masterKey, maxRetries: 0 });
  nginx = await startNginx(await readBlock());
});
afterAll(async () => {
  if (!hasNginx) return;
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  nginx.kill("SIGTERM");
  await ended;
  await wire.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

// Where no nginx is installed there is nothing to put the server behind.
describe.skipIf(!hasNginx)("behind nginx, as the guide on deploying sets it up", () => {
  test("the body of a DELETE and a key of Hangul in a path arrive", async () => {
    await chat.users.create({ user_id: "kim_01", name: "Kim", meta: { 부서: "파랑", team: "blue" } });
    expect((await chat.users.meta.delete("kim_01", ["team"])).meta).toEqual({ 부서: "파랑" });
    const bodiless = new ChatClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: masterKey,
      bodilessDeletes: true,
    });
    expect((await bodiless.users.meta.delete("kim_01", ["부서"])).meta).toEqual({});
  });

  test("an export page of 1,000 messages arrives whole, as the server sent it", async () => {
    await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
    const content = "점심 먹을까요? ".repeat(100);
    for (let sent = 0; sent < 1_000; sent += 50)
      await Promise.all(
        Array.from({ length: 50 }, () =>
          chat.messages.send("room_1", { user_id: "kim_01", type: "text", content }),
        ),
      );
    const path = "/v1/exports/group/channels/room_1/messages?limit=1000";
    const through = await send({ path });
    const direct = await fetch(server.url + path, { headers: { Authorization: `Bearer ${masterKey}` } });
    expect(JSON.parse(through.body).messages).toHaveLength(1_000);
    expect(through.body).toBe(await direct.text());
  });

  test("connections to the server are kept, and requests keep their ids", async () => {
    await send({ path: "/v1/users" });
    connections.clear();
    for (let count = 0; count < 20; count += 1) {
      const { headers } = await send({ path: "/v1/users", headers: { "X-Request-Id": `mine-${count}` } });
      expect(headers["x-request-id"]).toBe(`mine-${count}`);
    }
    expect(connections.size).toBe(1);
  });

  test("a body over the limit is refused with the same problem as by the server", async () => {
    const { title, status } = errors.payload_too_large;
    const problem = { type: "/docs#payload_too_large", title, status, code: "payload_too_large" };
    const body = "x".repeat(limits.bodyBytes + 1);
    const refused = await send({ method: "POST", path: "/v1/users", body });
    expect([refused.status, refused.headers["content-type"]]).toEqual([status, "application/problem+json"]);
    expect(JSON.parse(refused.body)).toEqual({
      ...problem,
      detail: expect.any(String),
      request_id: refused.headers["x-request-id"],
    });
  });

  test("a large body with a wrong key is refused by the server", async () => {
    const headers = { Authorization: "Bearer sk_EXAMPLE" };
    const body = "x".repeat(limits.bodyBytes);
    expect((await send({ method: "POST", path: "/v1/users", headers, body })).status).toBe(401);
  });

  test("a key in a header with an underscore is found", async () => {
    const headers = { Authorization: undefined, app_api_key: masterKey };
    expect((await send({ path: "/v1/users", headers })).status).toBe(200);
  });

  test("wrong keys slow the address that sent them, whatever it claims to be", async () => {
    const guess = (from: string, claimed: string) =>
      send({
        path: "/v1/users",
        from,
        headers: { Authorization: "Bearer wrong", "X-Forwarded-For": claimed },
      });
    const statuses: number[] = [];
    for (let count = 0; count <= guesses; count += 1)
      statuses.push((await guess("127.0.0.2", `10.0.0.${count}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await guess("127.0.0.3", "127.0.0.2")).status).toBe(401);
  });

  test("while no server answers the SDK sees a 502 that it may repeat", async () => {
    await server.end("SIGTERM");
    const error = await chat.users.get("kim_01").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "api", status: 502, retryable: true });
  });
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly from?: string;
}

/** One request to nginx, from an address of this machine. */
function send({ method = "GET", path, headers = {}, body, from = "127.0.0.1" }: Sent) {
  const given = {
    Authorization: `Bearer ${masterKey}`,
    ...(body !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": `${Buffer.byteLength(body)}`,
    }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const sending = request({ host: "127.0.0.1", port, localAddress: from, method, path, headers: sent });
    sending.once("error", reject);
    sending.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sending.end(body);
  });
}

/** The configuration that the guide shows, with the ports of this run. */
async function readBlock(): Promise<string> {
  const guide = await readFile(new URL("../../../../docs/guides/deploying.md", import.meta.url), "utf8");
  const block = /```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const here = block
    .replace("server 127.0.0.1:3000;", `server 127.0.0.1:${wire.port};`)
    .replace("listen 8080;", `listen 127.0.0.1:${port};`);
  expect(here).not.toMatch(/3000|8080/);
  return here;
}

async function startNginx(block: string): Promise<ChildProcess> {
  // Run as root, nginx works as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const lines = [
    "daemon off;",
    `pid ${folder}/nginx.pid;`,
    "error_log stderr crit;",
    "events {}",
    "http {",
    "access_log off;",
    ...temporary,
    block,
    "}",
  ];
  await writeFile(join(folder, "nginx.conf"), lines.join("\n"));
  const started = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let hasEnded = false;
  started.once("exit", () => {
    hasEnded = true;
  });
  while (!(await canConnect())) if (hasEnded) throw new Error("nginx ended before it listened.");
  return started;
}

function canConnect(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** nginx does not say which port it was given, so one is chosen for it. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}
