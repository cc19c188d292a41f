import { ChatClient } from "@madang/client";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { masterKey, startServerOn } from "../support/server";

const database = await createDatabase();
afterAll(() => database.drop());

test("with empty tables, statements get plans that stay good when the tables grow: none reads a whole table", async () => {
  // Now PostgreSQL knows that the tables are empty, for which reading all of a table is the cheapest plan.
  await ask("VACUUM ANALYZE");
  const server = await startServerOn(database.url);
  await runJourney(new ChatClient({ baseUrl: server.url, apiKey: masterKey }));
  // A connection reports what it has counted at the latest when it closes.
  await server.close();
  const scanned = await ask("SELECT relname, seq_scan::integer FROM pg_stat_user_tables WHERE seq_scan > 0");
  expect(scanned).toEqual([]);
});

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

async function runJourney(chat: ChatClient): Promise<void> {
  const { next } = await chat.events.list({ after: "latest" });
  const ids = ["kim_01", "park_03"];
  for (const user_id of ids) await chat.users.create({ user_id, name: user_id });
  await chat.users.meta.merge("kim_01", { team: "blue" });
  await chat.users.list().toArray({ max: 5 });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ids });
  await chat.channels.managers.add("room_1", "kim_01");
  await chat.channels.members.list("room_1");
  const sent = await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
  await chat.messages.update("room_1", sent.message_id, { content: "Hello!" });
  await chat.channels.members.markRead("room_1", "park_03");
  await chat.messages.list("room_1").toArray({ max: 5 });
  await chat.users.channels("park_03").toArray({ max: 5 });
  await chat.users.unread("park_03");
  await chat.exports.messages("room_1").toArray({ max: 5 });
  for await (const event of chat.events.listen({ after: next })) if (event.type === "message.created") break;
  await chat.channels.delete("room_1");
  await chat.users.delete("park_03");
}
