import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { errors, limits } from "@madang/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { hasNginx, type LoadBalancer, startNginx } from "../support/load-balancers";
import { masterKey } from "../support/server";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy";

const maxWrongKeys = 3;

let database: Awaited<ReturnType<typeof createDatabase>>;
let files: string;
let server: ServerProcess;
let proxy: TcpProxy;
let nginx: LoadBalancer;
let chat: ChatClient;
/** The connections on which nginx sent requests to the server. */
const connections = new Set<unknown>();

beforeAll(async () => {
  if (!hasNginx) return;
  database = await createDatabase();
  files = await mkdtemp(join(tmpdir(), "madang-files-"));
  server = await startProcess(database.url, {
    MADANG_FILES: `folder:${files}`,
    MADANG_TRUSTED_PROXIES: "1",
    MADANG_AUTH_FAILURE_LIMIT: `${maxWrongKeys}/600s`,
    MADANG_KEY_HEADERS: "app_api_key",
  });
  proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
  proxy.set({
    onRequest(bytes, { client }) {
      connections.add(client);
      return bytes;
    },
  });
  nginx = await startNginx([proxy.port]);
  chat = new ChatClient({ baseUrl: `http://127.0.0.1:${nginx.port}`, apiKey: masterKey, maxRetries: 0 });
});
afterAll(async () => {
  if (!hasNginx) return;
  await nginx.stop();
  await proxy.close();
  await database.drop();
  await rm(files, { recursive: true });
});

describe.skipIf(!hasNginx)("behind nginx with the configuration of the deploying guide", () => {
  test("the body of a DELETE and a Hangul key in a path arrive", async () => {
    await chat.users.create({ user_id: "kim_01", name: "Kim", meta: { 부서: "파랑", team: "blue" } });
    expect((await chat.users.meta.delete("kim_01", ["team"])).meta).toEqual({ 부서: "파랑" });
    const bodiless = new ChatClient({
      baseUrl: `http://127.0.0.1:${nginx.port}`,
      apiKey: masterKey,
      bodilessDeletes: true,
    });
    expect((await bodiless.users.meta.delete("kim_01", ["부서"])).meta).toEqual({});
  });

  test("an export page of 1,000 messages arrives unchanged", async () => {
    await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
    const content = "점심 먹을까요? ".repeat(30);
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

  test("connections to the server are reused, and request ids are kept", async () => {
    await send({ path: "/v1/users" });
    connections.clear();
    for (let count = 0; count < 20; count += 1) {
      const { headers } = await send({ path: "/v1/users", headers: { "X-Request-Id": `mine-${count}` } });
      expect(headers["x-request-id"]).toBe(`mine-${count}`);
    }
    expect(connections.size).toBe(1);
  });

  test("a body over the limit is rejected with the same problem details as by the server", async () => {
    const { title, status } = errors.payload_too_large;
    const problem = { type: "/docs#payload_too_large", title, status, code: "payload_too_large" };
    const body = "x".repeat(limits.importBodyBytes + 1);
    const rejected = await send({ method: "POST", path: "/v1/users", body });
    expect([rejected.status, rejected.headers["content-type"]]).toEqual([status, "application/problem+json"]);
    expect(JSON.parse(rejected.body)).toEqual({
      ...problem,
      detail: expect.any(String),
      request_id: rejected.headers["x-request-id"],
    });
  });

  test("a file that is larger than any other body is uploaded and read", async () => {
    const bytes = Buffer.alloc(limits.importBodyBytes + 1, "a");
    const menu = { name: "menu.txt", type: "text/plain", size: bytes.length };
    const { file_id, upload } = await chat.files.create({ channel_id: "room_1", user_id: "kim_01", ...menu });
    const { method, headers } = upload;
    expect(upload.url).toMatch(`http://127.0.0.1:${nginx.port}/v1/files/`);
    expect((await fetch(upload.url, { method, headers, body: bytes })).status).toBe(200);
    const { url = "" } = await chat.files.get(file_id);
    const read = await fetch(url);
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("a large body with a wrong key is rejected by the server", async () => {
    const headers = { Authorization: "Bearer sk_EXAMPLE" };
    const body = "x".repeat(limits.bodyBytes);
    expect((await send({ method: "POST", path: "/v1/users", headers, body })).status).toBe(401);
  });

  test("a key in a header with an underscore is found", async () => {
    const headers = { Authorization: undefined, app_api_key: masterKey };
    expect((await send({ path: "/v1/users", headers })).status).toBe(200);
  });

  test("wrong keys are counted for the real client address, whatever X-Forwarded-For contains", async () => {
    const guess = (from: string, claimed: string) =>
      send({
        path: "/v1/users",
        from,
        headers: { Authorization: "Bearer wrong", "X-Forwarded-For": claimed },
      });
    const statuses: number[] = [];
    for (let count = 0; count <= maxWrongKeys; count += 1)
      statuses.push((await guess("127.0.0.2", `10.0.0.${count}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await guess("127.0.0.3", "127.0.0.2")).status).toBe(401);
  });

  test("while the server is down, the SDK gets a retryable 502", async () => {
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

/** Sends a request to nginx from a local address. */
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
    const sending = request({
      host: "127.0.0.1",
      port: nginx.port,
      localAddress: from,
      method,
      path,
      headers: sent,
    });
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
