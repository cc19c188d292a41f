import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { ChatClient } from "@madang/client";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createEmptyDatabase } from "../support/database";
import { migrateUntil } from "../support/migrations";
import { program } from "../support/program";
import { startReceiver } from "../support/receiver";
import { masterKey } from "../support/server";

/*
 * From the build that had a queue of audit entries, positions in several tables, changes for the search index and erasures with
 * resumable holds, with the rows that its server had written (`november.sql`).
 */

const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8", MADANG_AUDIT: "changes", MADANG_AUDIT_DAYS: "36500" };
const subKeys = [
  "sk_Mf6KloC6RGQKBOWZTH45TLFBjmqdYfol6lr0vDU9I-xlRxOL8ZBwzSDCC8zz-1IH",
  "sk_tGHoskoG6ghwjxoY2sb1WEUUnYx6aEbDynMaYetZwp2hVXqKP7UTNXHuQJoCUdEZ",
];
const webhook = "wh_1274f3d45c594899b742d0a17e9891cb";
const sentWithKey = "1795871134883-145";
/** After the newest 20 messages of the list. */
const listCursor =
  "eyJmaWx0ZXJzIjp7ImRpcmVjdGlvbiI6Im9sZGVyIn0sImxpbWl0IjoyMCwib3duZXIiOjEsImFmdGVyIjp7ImNyZWF0ZWRBdCI6MTc5NTg3MTExOTQ0NSwicGsiOjEwNH19.1-xQgKqlQkxHOKmziMX6YA";
/** After the first 50 events. */
const eventCursor = "eyJwb3NpdGlvbiI6NTAsIm5vbmNlIjo5ODI4NzY0MDczNzU3NjR9.vszBTTgIWFFVVlzvjgdQ6g";
const room = "/v1/group/channels/lunch_01";

test("a database of the build with queues is upgraded, and everything behind the log continues where it was", async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await migrateUntil(database.url, "2026112522");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await loadRows(client);
  execFileSync(process.execPath, [program, "migrate"], { env: { DATABASE_URL: database.url } });
  const server = await startProcess(database.url, settings);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });

  // What users see is as it was.
  const messages = await list(chat.exports.messages("lunch_01"));
  // 116, and 14 of them were deleted or erased.
  expect(messages).toHaveLength(102);
  expect(await chat.users.get("kim_01")).toMatchObject({ name: "김", meta: { team: "blue" } });
  expect(await chat.channels.get("lunch_01")).toMatchObject({ total_message_count: 116 });
  const [reacted] = messages.filter(({ reactions }) => reactions !== undefined);
  expect(reacted?.reactions).toMatchObject([{ reaction: "👍", count: 1 }]);
  expect(await list(chat.channels.pins("lunch_01"))).toHaveLength(1);
  const send = (user_id: string, content: string) =>
    call(server.url, "POST", `${room}/messages`, { body: { user_id, type: "text", content } });
  expect((await send("muted_06", "muted")).body.code).toBe("member_muted");
  expect((await send("banned_07", "banned")).body.code).toBe("user_banned");
  for (const key of subKeys)
    expect((await call(server.url, "GET", "/v1/users/kim_01", { key })).status).toBe(200);

  // Cursors and idempotency keys go on.
  const page = await call(server.url, "GET", `${room}/messages?next=${listCursor}`);
  const ids = messages.map(({ message_id }) => message_id);
  expect(page.body.messages.map(({ message_id }: { message_id: string }) => message_id)).toEqual(
    ids.slice(20, 40),
  );
  const repeated = await call(server.url, "POST", `${room}/messages`, {
    body: { user_id: "kim_01", type: "text", content: "sent with a key" },
    idempotencyKey: "upgrade-key",
  });
  expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");
  expect(repeated.body.message_id).toBe(sentWithKey);

  // The search finds the text of the last edit, which the old index had not read. The old blocks have an older version of signatures, so
  // they are made again; migrate.test.ts checks which ones the migration removes.
  const search = async (q: string) =>
    (await list(chat.messages.search("lunch_01", { q }))).map(({ message_id }) => message_id);
  const containing = (q: string) =>
    messages
      .filter((message) => message.type !== "file" && message.content.includes(q))
      .map(({ message_id }) => message_id);
  for (const q of ["needle", "haystack", "message", "한국어"]) {
    expect(containing(q).length).toBeGreaterThan(1);
    await expect.poll(() => search(q)).toEqual(containing(q));
  }

  // The feed, usage, webhooks and the audit log have the last change, which nothing had read.
  const { events: all } = await chat.events.list({ pageSize: 500 });
  const { events } = await chat.events.list({ after: eventCursor, pageSize: 500 });
  // The events themselves show erased users as they are now.
  expect(events.map(({ event_id }) => event_id)).toEqual(all.slice(50).map(({ event_id }) => event_id));
  expect(events).toContainEqual(expect.objectContaining({ type: "user.created", user_id: "last_10" }));
  const countedUsers = "SELECT sum(users_created)::int AS users FROM usage_days";
  await expect.poll(async () => (await client.query(countedUsers)).rows[0].users).toBe(9);
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await chat.webhooks.update(webhook, { url: receiver.url });
  execFileSync(process.execPath, [program, "webhooks", "resume"], { env: { DATABASE_URL: database.url } });
  const delivered = () => receiver.deliveries.map(({ event }) => `${event.type} ${event.user_id}`);
  await expect.poll(delivered).toContain("user.created last_10");
  const entries = await list(chat.audit.list());
  expect(
    entries.filter(({ operation }) => operation === "users.create").map(({ user_id }) => user_id),
  ).toEqual(expect.arrayContaining(["kim_01", "last_10"]));

  // The erasure that left a message on hold goes on, and ends with the hold.
  const heldErasure = async () =>
    (await list(chat.privacy.list())).find(({ user_id }) => user_id === "held_09");
  await expect.poll(heldErasure).toMatchObject({ status: "running", erased: { held: 1 } });
  await chat.channels.setRetention("held_01", { days: null, hold: false });
  await expect.poll(heldErasure).toMatchObject({ status: "done" });
  expect(await list(chat.exports.messages("held_01"))).toEqual([]);
  expect((await checkData(database.url)).violations).toEqual([]);
  expect(server.problems().filter((line) => !line.includes("webhooks are paused"))).toEqual([]);
});

/** Replaces what the migrations have stored, and makes the rows that expire new. */
async function loadRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
  );
  await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(", ")}`);
  await client.query("SET session_replication_role = replica");
  await client.query(await readFile(new URL("november.sql", import.meta.url), "utf8"));
  await client.query("RESET session_replication_role");
  // The erasure is to find by itself what it left.
  await client.query("UPDATE erasures SET held_messages = 0");
  for (const table of ["idempotency_keys", "events", "event_ranges"])
    await client.query(`UPDATE ${table} SET created_at = (EXTRACT(epoch FROM now()) * 1000)::bigint`);
}

async function list<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
