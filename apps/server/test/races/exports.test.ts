import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/db";
import { callPatiently, type Reply } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { type Rival, startRival } from "./rival";

const rounds = scale(40, 1_000);
let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [Rival, Rival];
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startRival(database.url), startRival(database.url)]);
  db = await openDatabase(database.url);
});
afterAll(async () => {
  await db.close();
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

const messages = 150;
const pageSize = 100;

async function insertChannel(round: number): Promise<void> {
  const channel = db.channel(`export_${round}`);
  await db.query(insertSender, [round]);
  await channel.query(newChannel, [round, messages]);
  await channel.query(insertMessages, [round, messages]);
}

const insertSender = {
  name: "test.insert-sender",
  text: `INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('sender_' || $1::text, '0', 1, 1) RETURNING 1`,
};

const newChannel = {
  name: "test.insert-channel",
  text: `INSERT INTO channels (channel_id, name, total_message_count, created_at, updated_at)
    VALUES ('export_' || $1::text, 'Export', $2, 1, 1) RETURNING pk`,
};

const insertMessages = {
  name: "test.insert-messages",
  text: `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', n, n, n FROM channels c, users u, generate_series(1, $2::integer) n
    WHERE c.channel_id = 'export_' || $1::text AND u.user_id = 'sender_' || $1::text RETURNING 1`,
};

/** Whether the response is the complete page, or 404 for the channel. */
function isExpected({ status, body }: Reply, size: number, hasNext: boolean): boolean {
  if (status === 404) return body.code === "channel_not_found";
  return status === 200 && body.messages.length === size && (body.next !== undefined) === hasNext;
}

test("an export during the deletion of its channel responds with the complete page or 404", async () => {
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    await insertChannel(round);
    const path = `/v1/exports/group/channels/export_${round}/messages`;
    const get = (index: number, query: string) =>
      callPatiently(servers[index % 2 === 0 ? 0 : 1].url, "GET", `${path}?${query}`);
    const { body: first } = await get(0, `limit=${pageSize}`);
    const next = `next=${encodeURIComponent(first.next)}`;
    const exports = Array.from({ length: 8 }, async (_, index) => {
      const isFirst = index % 2 === 0;
      const reply = await get(index >> 1, isFirst ? `limit=${pageSize}` : next);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      const isComplete = isFirst
        ? isExpected(reply, pageSize, true)
        : isExpected(reply, messages - pageSize, false);
      if (!isComplete) wrong.push(`${reply.status} with ${reply.body.messages?.length} messages`);
    });
    const deleted = callPatiently(
      servers[round % 2 === 0 ? 0 : 1].url,
      "DELETE",
      `/v1/group/channels/export_${round}`,
    );
    await Promise.all([...exports, deleted]);
  }
  await report({
    fault: "exports against the deletion of their channel",
    load: `8 exports, 2 processes, ${rounds.toLocaleString("en-US")} rounds; ${statuses.get(200) ?? 0} pages and ${statuses.get(404) ?? 0} times 404`,
    sent: rounds * 8,
    acknowledged: rounds * 8,
    wrong: wrong.length,
  });
  expect({ count: wrong.length, some: wrong.slice(0, 5) }).toEqual({ count: 0, some: [] });
});

test("a page shows messages and senders at the same moment", async () => {
  // Two users alternate: each sends its next name as a message, then changes its name. A page with a name has its
  // message.
  const users = ["name_a", "name_b"];
  for (const user_id of users)
    await callPatiently(servers[0].url, "POST", "/v1/users", { body: { user_id, name: "0" } });
  const body = { channel_id: "names", name: "Names", members: users };
  await callPatiently(servers[0].url, "POST", "/v1/group/channels", { body });
  const send = (user_id: string, content: string) =>
    callPatiently(servers[0].url, "POST", "/v1/group/channels/names/messages", {
      body: { user_id, type: "text", content },
    });
  for (const user of users) await send(user, "0");
  let isDone = false;
  const change = async () => {
    for (let turn = 1; turn <= scale(60, 2_000); turn++) {
      const user = users[turn % 2] ?? "";
      await send(user, String(turn));
      await callPatiently(servers[0].url, "PUT", `/v1/users/${user}`, { body: { name: String(turn) } });
    }
    isDone = true;
  };
  const wrong: string[] = [];
  let pages = 0;
  const read = async () => {
    while (!isDone) {
      const { body } = await callPatiently(
        servers[1].url,
        "GET",
        "/v1/exports/group/channels/names/messages",
      );
      const newest = Number(body.messages[0]?.content);
      const names = body.messages.map(({ user }: { user: { name: string } }) => Number(user.name));
      pages++;
      if (Math.max(...names) > newest)
        wrong.push(`the name ${Math.max(...names)} without its message, after ${newest}`);
    }
  };
  await Promise.all([change(), read(), read(), read()]);
  await report({
    fault: "exports against renamed senders",
    load: "3 readers, 2 processes",
    sent: pages,
    acknowledged: pages,
    wrong: wrong.length,
  });
  expect(wrong).toEqual([]);
});
