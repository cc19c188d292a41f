import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../support/call";
import { masterKey, startServer, type TestServer } from "../../support/server";

let server: TestServer;
let chat: ChatClient;
beforeAll(async () => {
  server = await startServer();
  chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  for (let index = 0; index < 100; index++)
    await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "x".repeat(10_000) });
});
afterAll(() => server.close());

/** Sends requests while a table is locked, and resets their connections before the server can respond. */
async function resetWhileLocked(path: string, key: string, table: string, count: number): Promise<void> {
  await server.db.transaction(async (tx) => {
    await tx.query({ name: `test.lock-${table}`, text: `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE` });
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      return socket;
    });
    await sleep(500);
    for (const socket of sockets) socket.resetAndDestroy();
    await sleep(200);
  });
}

test("the memory of large responses whose connections were reset meanwhile is free again", async () => {
  const path = "/v1/group/channels/room_1/messages?limit=100";
  const { body } = await call(server.url, "GET", path);
  expect(JSON.stringify(body).length).toBeGreaterThan(500_000);
  // More than a key may have unread.
  for (let round = 0; round < 4; round++) await resetWhileLocked(path, masterKey, "messages", 10);
  await expect.poll(async () => (await call(server.url, "GET", path)).status).toBe(200);
});

test("a user whose streams were reset before they began has its places for streams again", async () => {
  const { token } = await chat.users.createToken("kim_01");
  for (let round = 0; round < 2; round++)
    await resetWhileLocked("/v1/events/stream", token, "token_revocations", 12);
  const open = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.url}/v1/events/stream`, { headers });
    await response.body?.cancel();
    return response.status;
  };
  await expect.poll(open).toBe(200);
});
