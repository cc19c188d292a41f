import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Db, Statement } from "../../src/db/db";
import { withConnection } from "../../src/db/with-connection";
import { call } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { startServerOn, type TestServer } from "../support/server";

const channelIds = Array.from({ length: 20 }, (_, index) => `channel_${10 + index}`);

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Db;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase();
  db = await openDatabase(database.url);
  server = await startServerOn(database.url);
  await send("POST", "/v1/users", { user_id: "keeper", name: "Keeper" });
  for (const channel_id of channelIds)
    await send("POST", "/v1/group/channels", { channel_id, name: channel_id, members: ["keeper"] });
});
afterAll(async () => {
  await server.close();
  await db.close();
  await database.drop();
});

async function send(method: string, path: string, body?: object) {
  const reply = await call(server.url, method, path, { body });
  expect(reply.status).toBeLessThan(300);
  return reply.body;
}

const lockChannel: Statement<unknown> = {
  name: "test.lock-channel",
  text: "SELECT 1 FROM channels WHERE channel_id = $1 FOR UPDATE",
};

const findPort: Statement<{ port: string }> = {
  name: "test.find-port",
  text: "SELECT current_setting('port') AS port FROM (SELECT FROM channels LIMIT 1) AS one",
};

/** Fails if another transaction has locked the copy of the user on the node of a channel. */
const holdCopy: Statement<unknown> = {
  name: "test.hold-copy",
  text: "SELECT 1 FROM users WHERE user_id = $1 FOR KEY SHARE NOWAIT",
};

/** How many sessions wait for a row, on all nodes. */
async function countWaiting(): Promise<number> {
  const name = new URL(database.url).pathname;
  const nodes = [database.url, ...(inject("citusWorkers") ?? []).map((node) => new URL(name, node).href)];
  const counts = nodes.map((node) =>
    withConnection(node, async (client) => {
      const sql = `SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await client.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
    }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count);
}

test.each([
  ["is deleted", "DELETE", "", undefined],
  ["is suspended", "PUT", "/suspension", { reason: "Advertising" }],
])(
  "while the sender of a message to several channels %s, neither waits for the other on another node",
  async (_, method, path, body) => {
    const portOf = async (channelId: string) => (await db.channel(channelId).query(findPort))[0]?.port;
    const ports = await Promise.all(channelIds.map(portOf));
    for (const first of new Set(ports)) {
      // A message locks them in this order: the first node, where it waits for the second channel, then the other node.
      const [one = "", locked = ""] = channelIds.filter((_, index) => ports[index] === first);
      const other = channelIds.findLast((_, index) => ports[index] !== first) ?? "";
      const sender = `sender_${method.toLowerCase()}_${first}`;
      await send("POST", "/v1/users", { user_id: sender, name: "Sender" });
      const channel_ids = [one, locked, other];
      for (const id of channel_ids)
        await send("POST", `/v1/group/channels/${id}/members`, { members: [sender] });
      const message = { channel_ids, user_id: sender, type: "text", content: "Hello" };
      let requests: Promise<unknown[]> = Promise.resolve([]);
      await db.transaction(async (tx) => {
        await tx.channel(locked).query(lockChannel, [locked]);
        const sending = send("POST", "/v1/messages", message);
        await expect.poll(countWaiting).toBe(1);
        requests = Promise.all([sending, send(method, `/v1/users/${sender}${path}`, body)]);
        await expect.poll(countWaiting).toBe(2);
        expect(await db.channel(other).query(holdCopy, [sender])).toHaveLength(1);
      });
      const [sent] = await requests;
      const results = channel_ids.map((channel_id) => ({ channel_id, message: { content: "Hello" } }));
      expect(sent).toMatchObject({ results });
    }
  },
);
