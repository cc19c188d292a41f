import { createConnection, type Socket } from "node:net";
import { limits } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { createToken } from "../support/replay";
import { expectNearlyAll, scale } from "../support/report";
import { masterKey } from "../support/server";
import { measureAttack } from "./measure-attack";
import { type ServerProcess, startProcess } from "./process";

/** The limit in kubernetes.yaml. */
const maxMegabytes = 512;
const channel = "/v1/group/channels/room_1";

/** What another client does meanwhile: each send must succeed. */
const send = {
  name: "a send",
  path: `${channel}/messages`,
  options: {
    method: "POST",
    headers: { Authorization: `Bearer ${masterKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ user_id: "kim_01", type: "text", content: "Hello." }),
  },
};

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
/** There may be ten keys, and a test that is repeated would create another. */
let reader: string;
/** Of a person, in a browser. */
let token: string;
const readers = [
  { who: "a sub key", keyOf: () => reader },
  { who: "a token", keyOf: () => token },
];
beforeAll(async () => {
  database = await createDatabase();
  // As Node does it for itself in a container with this limit.
  server = await startProcess(database.url, {
    NODE_OPTIONS: "--max-semi-space-size=16 --max-old-space-size=256",
  });
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  for (const channel_id of ["room_1", "other_1", "large_1", "wide_1"])
    await call(server.url, "POST", "/v1/group/channels", {
      body: { channel_id, name: "Lunch", members: ["kim_01"] },
    });
  await sendLargeMessages();
  reader = await createKey("read", "privacy.export");
  token = await createToken(server.url, "kim_01");
});
afterAll(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

/** As large as a message can be, in bytes. */
async function sendLargeMessages(): Promise<void> {
  const body = { user_id: "kim_01", type: "text", content: "😀".repeat(limits.content.maxLength) };
  const path = "/v1/group/channels/large_1/messages";
  let left = 1_000;
  const sendSome = async () => {
    while (left-- > 0) expect((await call(server.url, "POST", path, { body })).status).toBe(201);
  };
  await Promise.all(Array.from({ length: 8 }, sendSome));
}

/** A key with some scopes. */
async function createKey(...scopes: readonly string[]): Promise<string> {
  const { body } = await call(server.url, "POST", "/v1/applications/keys", { body: { scopes } });
  return body.key;
}

/** Clients that each repeat their work for some seconds. */
async function repeat(clients: number, work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + scale(3_000, 15_000);
  const client = async () => {
    while (performance.now() < until) await work();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

test.each([
  { who: "a sub key", create: () => createKey("reports.create") },
  { who: "a token", create: () => token },
])("bodies of 1 MB of nested arrays, with $who", async ({ who, create }) => {
  const key = await create();
  const depth = 500_000;
  const body = `{"channel_id":"room_1","reason":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  await measureAttack(
    `24 clients with ${who} send 1 MB of nested arrays`,
    server,
    () =>
      repeat(24, async () => {
        const response = await fetch(`${server.url}/v1/reports`, { method: "POST", headers, body });
        expect([400, 503]).toContain(response.status);
        await response.text();
      }),
    { request: send, maxMegabytes },
  );
});

test.each([
  {
    who: "a sub key",
    create: () => createKey("imports.messages"),
    of: "/v1/imports/group/channels/other_1/messages",
  },
  { who: "a token", create: () => token, of: `${channel}/messages` },
])("bodies of $who that arrive almost completely, and then wait", async ({ who, create, of }) => {
  const [attacker, importer] = [await create(), await createKey("imports.messages")];
  const path = "/v1/imports/group/channels/other_1/messages";
  const length = 1_050_000;
  const head = `POST ${of} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${attacker}\r\n`;
  const bytes = `${head}Content-Length: ${length}\r\n\r\n${" ".repeat(length - 10_000)}`;
  let isOver = false;
  /** Connects again whenever the server has closed the connection. */
  const occupy = async () => {
    while (!isOver) {
      const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
      socket.on("error", () => undefined).resume();
      sockets.add(socket.setTimeout(15_000, () => socket.destroy()));
      socket.write(bytes);
      // `events.once` would reject if the server resets the connection.
      await new Promise((resolve) => socket.once("close", resolve));
      sockets.delete(socket);
    }
  };
  const sockets = new Set<Socket>();
  const messages = Array.from({ length: 100 }, () => ({
    user_id: "kim_01",
    type: "text",
    content: "Hello. ".repeat(1_000),
    created_at: 1,
  }));
  const statuses: number[] = [];
  await measureAttack(
    `25 connections with ${who} send 1.04 of 1.05 MB, and another key imports`,
    server,
    async () => {
      const occupying = Promise.all(Array.from({ length: 25 }, occupy));
      // Also after a failure: otherwise the connections would disturb all later tests.
      const leave = () => {
        isOver = true;
        for (const socket of sockets) socket.destroy();
      };
      await repeat(2, async () => {
        const reply = await call(server.url, "POST", path, { key: importer, body: { messages } });
        statuses.push(reply.status);
      }).finally(leave);
      await occupying;
    },
    { request: send, maxMegabytes },
  );
  for (const status of statuses) expect([200, 503]).toContain(status);
  expectNearlyAll(statuses.filter((status) => status === 200).length, statuses.length);
});

test("texts that grow when they are folded, sent and searched", async () => {
  const key = await createKey("read", "messages.send");
  // One character becomes 18.
  const body = { user_id: "kim_01", type: "text", content: "ﷺ".repeat(limits.content.maxLength) };
  const path = "/v1/group/channels/wide_1/messages";
  const q = encodeURIComponent("عليه وسلم");
  let left = 256;
  const statuses = new Set<number>();
  await measureAttack(
    "256 messages of U+FDFA are sent, indexed and searched by 2 clients",
    server,
    () =>
      repeat(2, async () => {
        if (left-- > 0) statuses.add((await call(server.url, "POST", path, { key, body })).status);
        const found = await call(server.url, "GET", `${path}/search?q=${q}`, { key });
        statuses.add(found.status);
      }),
    { request: send, maxMegabytes },
  );
  for (const status of statuses) expect([200, 201, 503]).toContain(status);
});

test.each(readers)("100 streams from the oldest event on, with $who", async ({ who, keyOf }) => {
  const headers = { Authorization: `Bearer ${keyOf()}`, Accept: "text/event-stream" };
  const durationMs = scale(3_000, 15_000);
  const statuses = new Set<number>();
  await measureAttack(
    `100 streams with ${who} read the events of 1,000 large messages from the oldest on`,
    server,
    async () => {
      const read = async () => {
        const signal = AbortSignal.timeout(durationMs);
        const response = await fetch(`${server.url}/v1/events/stream`, { headers, signal });
        statuses.add(response.status);
        await response.bytes();
      };
      // The time limit ends them.
      await Promise.all(Array.from({ length: 100 }, () => read().catch(() => undefined)));
    },
    { request: send, maxMegabytes },
  );
  // A person has fewer streams at once than a key.
  for (const status of statuses) expect([200, 429, 503]).toContain(status);
  expect(statuses).toContain(200);
});

const largeReads = [
  {
    what: "exports",
    count: 8,
    path: "/v1/exports/group/channels/large_1/messages?limit=1000",
    isForUsers: false,
  },
  {
    what: "lists of messages",
    count: 20,
    path: "/v1/group/channels/large_1/messages?limit=100",
    isForUsers: true,
  },
  { what: "lists of events", count: 8, path: "/v1/events?limit=500", isForUsers: true },
  { what: "exports of a person", count: 8, path: "/v1/privacy/users/kim_01?limit=1000", isForUsers: false },
  {
    what: "searches",
    count: 8,
    path: "/v1/group/channels/large_1/messages/search?limit=100&q=%F0%9F%98%80",
    isForUsers: true,
  },
];

// On a machine that is busy with other work, opening a connection to PostgreSQL may take too long.
test.each(
  readers.flatMap((each) =>
    largeReads
      .filter(({ isForUsers }) => isForUsers || each.who !== "a token")
      .map((read) => ({ ...each, ...read })),
  ),
)("$what of large messages by $count readers with $who", { retry: 2 }, async (attack) => {
  const { who, keyOf, what, count, path } = attack;
  const headers = { Authorization: `Bearer ${keyOf()}` };
  let bytes = 0;
  const statuses = new Set<number>();
  await measureAttack(
    `${count} readers of ${what} with ${who}, of 1,000 messages of ${limits.content.maxLength} emoji`,
    server,
    () =>
      repeat(count, async () => {
        const response = await fetch(server.url + path, { headers });
        statuses.add(response.status);
        bytes = Math.max(bytes, (await response.bytes()).length);
      }),
    { request: send, maxMegabytes },
  );
  for (const status of statuses) expect([200, 503]).toContain(status);
  expect(statuses).toContain(200);
  expect(bytes).toBeLessThan(2 * 2 ** 20);
});
