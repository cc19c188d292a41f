import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "@madang/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { type ServerProcess, startProcess } from "./process";

/** The limit in kubernetes.yaml. */
const maxMegabytes = 512;
const path = "/v1/imports/group/channels/room_1/messages";
const clients = 16;

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
beforeEach(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  const body = { channel_id: "room_1", name: "Large", members: ["kim_01"] };
  await call(server.url, "POST", "/v1/group/channels", { body });
});
afterEach(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

/** Just below 8 MB. */
const messages = Array.from({ length: 500 }, () => ({
  user_id: "kim_01",
  type: "text",
  content: "김".repeat(5_500),
  created_at: 1,
}));
const body = Buffer.from(JSON.stringify({ messages }));

function open(): Socket {
  const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${masterKey}\r\n`;

/** Sends a body and resolves with the status and the wait that the server asks for. */
function importOnce(): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve) => {
    const socket = open();
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes;
    });
    socket.on("close", () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
      resolve({ status, retryAfter: /^Retry-After: (.+)\r$/m.exec(received)?.[1] });
    });
    socket.write(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
  });
}

async function reportMemory(fault: string, load: string, sent: number, acknowledged: number): Promise<void> {
  server.requireAlive();
  const peak = await server.peakMegabytes();
  await report({
    fault: `${fault}: the process used at most ${Math.round(peak)} MB`,
    load,
    sent,
    acknowledged,
  });
  expect(peak).toBeLessThan(maxMegabytes);
}

test("many imports of 8 MB at once stay within the memory of the container, and each succeeds when repeated", async () => {
  expect(body.length).toBeLessThan(limits.importBodyBytes);
  let sent = 0;
  let stored = 0;
  const rounds = scale(1, 10);
  const work = async () => {
    for (let round = 0; round < rounds; ) {
      sent += 1;
      const { status, retryAfter } = await importOnce();
      if (status === 200) {
        round += 1;
        stored += 1;
        continue;
      }
      expect([status, retryAfter]).toEqual([429, "1"]);
      await sleep(Number(retryAfter) * 1_000 * (1 + Math.random()));
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  expect(stored).toBe(clients * rounds);
  await reportMemory("imports of 8 MB at once, repeated after 429", `${clients} clients`, sent, stored);
});
