import { createConnection, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { createToken } from "../../../test/support/replay";
import { startServer, type TestServer } from "../../../test/support/server";

let server: TestServer;
const keys: string[] = [];
beforeAll(async () => {
  server = await startServer();
  for (let count = 0; count < 2; count++)
    keys.push((await call(server.url, "POST", "/v1/applications/keys", { body: {} })).body.key);
});
afterAll(() => server.close());

const length = 1_048_000;

/** Sends most of a body of 1 MB, and nothing more. */
function sendMost(key = ""): { socket: Socket; status: Promise<number> } {
  const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`);
  socket.write(`Authorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(" ".repeat(length - 10_000));
  const status = new Promise<number>((resolve) => {
    socket.once("data", (bytes) => resolve(Number(String(bytes).split(" ")[1])));
    socket.once("close", () => resolve(0));
  });
  return { socket, status };
}

/** As much as one key may use. */
const sendShare = (key = "") => Array.from({ length: 16 }, () => sendMost(key));

test("a rejected body gives its memory back at once, although its client is still sending", async () => {
  const rejected = sendShare(keys[0]);
  for (const { socket } of rejected) socket.write(",".repeat(9_000));
  for (const { status } of rejected) expect(await status).toBe(400);
  const further = sendShare(keys[0]);
  for (const { socket } of further) socket.write(",".repeat(9_000));
  for (const { status } of further) expect(await status).toBe(400);
  for (const { socket } of [...rejected, ...further]) socket.destroy();
});

test("bodies of one key that do not end leave memory for those of another key", async () => {
  const [first, second] = keys;
  const unfinished = Array.from({ length: 25 }, () => sendMost(first));
  expect(await Promise.race(unfinished.map(({ status }) => status))).toBe(429);
  const body = { user_id: "kim_01", name: "Kim" };
  const json = JSON.stringify(body).padEnd(length);
  const headers = { Authorization: `Bearer ${second}`, "Content-Type": "application/json" };
  const response = await fetch(`${server.url}/v1/users`, { method: "POST", headers, body: json });
  expect(response.status).toBe(201);
  for (const { socket } of unfinished) socket.destroy();
});

test("requests of a user that name another one give their memory back", async () => {
  await call(server.url, "POST", "/v1/users", { body: { user_id: "lee_02", name: "Lee" } });
  const token = await createToken(server.url, "lee_02");
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ user_id: "kim_01", type: "text", content: "Hi" }).padEnd(length);
  // Together, they are more than one user may use at once.
  for (let count = 0; count < 20; count++) {
    const path = `${server.url}/v1/group/channels/room_1/messages`;
    const { status } = await fetch(path, { method: "POST", headers, body });
    expect(status).toBe(403);
  }
});
