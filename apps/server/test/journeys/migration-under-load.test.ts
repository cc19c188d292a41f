import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { startServer, type TestServer } from "../support/server";

let server: TestServer;
let migrator: pg.Client;
beforeAll(async () => {
  server = await startServer();
  migrator = new pg.Client({ connectionString: server.databaseUrl });
  await migrator.connect();
});
afterAll(async () => {
  await migrator.end();
  await server.close();
});

const channel = "/v1/group/channels/channel_1";
let count = 0;

/** One round of a client: reads, writes of one statement, and writes in a transaction. */
async function runRound(): Promise<number[]> {
  const user = `round_${count++}`;
  const body = { user_id: user, name: "Kim" };
  const message = { user_id: user, type: "text", content: "Hello" };
  const statuses: number[] = [];
  for (const [method, path, sent] of [
    ["POST", "/v1/users", { body }],
    ["GET", `/v1/users/${user}`, {}],
    ["GET", "/v1/users?name=Kim", {}],
    ["PUT", `/v1/users/${user}`, { body: { name: "Lee" } }],
    ["PUT", `${channel}/join`, { body: { member: user } }],
    ["GET", `${channel}/members`, {}],
    ["POST", `${channel}/messages`, { body: message, idempotencyKey: user }],
    ["GET", `/v1/exports/group/channels/channel_1/messages`, {}],
    ["DELETE", `/v1/users/${user}`, {}],
  ] as const)
    statuses.push((await call(server.url, method, path, sent)).status);
  return statuses;
}

test("no request fails while migrations change the types of returned columns", async () => {
  const body = { channel_id: "channel_1", name: "Lunch", members: [], reuse: false };
  await call(server.url, "POST", "/v1/group/channels", { body });
  const statuses: number[] = [];
  let isMigrated = false;
  const clients = Array.from({ length: 8 }, async () => {
    // At least one round with statements that were prepared before the migrations, and one after.
    for (let roundsAfter = 0; roundsAfter < 2; roundsAfter += isMigrated ? 1 : 0)
      statuses.push(...(await runRound()));
  });
  while (statuses.length < 200) await new Promise((resolve) => setImmediate(resolve));
  await migrator.query("ALTER TABLE users ALTER COLUMN name TYPE varchar(80)");
  await migrator.query("ALTER TABLE channels ALTER COLUMN name TYPE varchar(150)");
  await migrator.query("ALTER TABLE messages ALTER COLUMN updated_at TYPE numeric");
  isMigrated = true;
  await Promise.all(clients);
  expect(new Set(statuses)).toEqual(new Set([200, 201]));
});
