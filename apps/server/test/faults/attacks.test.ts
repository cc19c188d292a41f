import { afterEach, beforeEach, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { scale } from "../support/report";
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
beforeEach(async () => {
  database = await createDatabase();
  server = await startProcess(database.url);
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  for (const channel_id of ["room_1", "large_1"])
    await call(server.url, "POST", "/v1/group/channels", {
      body: { channel_id, name: "Lunch", members: ["kim_01"] },
    });
});
afterEach(async () => {
  await server.end("SIGTERM");
  await database.drop();
});

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

test("bodies of 1 MB of nested arrays", async () => {
  const key = await createKey("reports.create");
  const depth = 500_000;
  const body = `{"channel_id":"room_1","reason":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  await measureAttack(
    "24 clients send 1 MB of nested arrays",
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
