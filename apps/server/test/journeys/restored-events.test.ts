import pg from "pg";
import { afterAll, expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { adoptRestoredEvents } from "../../src/modules/events/numbering/adopt-store";
import type { EventKey } from "../../src/modules/events/store";
import { findPositionBefore } from "../../src/modules/events/store";
import { chatWith } from "../support/chat";
import { createDatabase } from "../support/database";
import { indexAll } from "../support/index-all";
import { startServerOn } from "../support/server";

const database = await createDatabase();
afterAll(database.drop);

const statement = (text: string): Statement<unknown> => ({ name: `test ${text.slice(0, 40)}`, text });

const findKeys: Statement<EventKey> = {
  name: "test.find-keys",
  text: `SELECT channel_pk AS "channelPk", 'evt_' || created_at || '_' || pk AS "eventId" FROM events ORDER BY pk`,
};

/** As if the dump came from a server that had counted a billion transactions more. */
const older = [
  "UPDATE events SET transaction_id = transaction_id + 1000000000",
  `UPDATE event_ranges SET next_transaction_id = next_transaction_id + 1000000000,
    transaction_ids = ARRAY(SELECT each + 1000000000 FROM unnest(transaction_ids) AS each)`,
];

test("after a dump is restored on another server, a cursor continues and no event is lost or repeated", async () => {
  const before = await startServerOn(database.url);
  const chat = chatWith(before);
  await chat.users.create({ user_id: "before_1", name: "Before" });
  const { next: after } = await chat.events.list();
  await chat.users.create({ user_id: "before_2", name: "Before" });
  await chat.events.list();
  await before.close();

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // It has no position yet when the dump is made.
  await client.query("INSERT INTO events (type, user_id) VALUES ('user.updated', 'before_3')");
  for (const text of older) await client.query(text);
  await client.end();

  await adoptRestoredEvents(database.url);
  const restored = await startServerOn(database.url);
  const later = chatWith(restored);
  await later.users.create({ user_id: "later_1", name: "Later" });
  const { events } = await later.events.list({ after });
  expect(events.map((event) => "user_id" in event && event.user_id)).toEqual([
    "before_2",
    "before_3",
    "later_1",
  ]);
  const { events: all } = await later.events.list();
  expect(all.map((event) => "user_id" in event && event.user_id)).toEqual([
    "before_1",
    "before_2",
    "before_3",
    "later_1",
  ]);
  // The cursors of attempts to deliver them.
  const stored = await restored.db.query(findKeys);
  expect(await Promise.all(stored.map((key) => findPositionBefore(restored.db, key)))).toMatchObject(
    [0, 1, 2, 3].map((position) => ({ position })),
  );
  // A server that has given all ids itself changes nothing.
  await adoptRestoredEvents(database.url);
  expect((await later.events.list({ after })).events).toHaveLength(3);
  await restored.close();
});

test("a cursor from beyond the moment to which the database was restored is invalid, also when its position exists again", async () => {
  const server = await startServerOn(database.url);
  const chat = chatWith(server);
  await chat.users.create({ user_id: "lost_1", name: "Lost" });
  const { next: lost } = await chat.events.list({ after: "latest" });
  // The last range and its events were written after that moment.
  const lastRange = "(SELECT after_position FROM event_ranges ORDER BY after_position DESC LIMIT 1)";
  for (const text of [
    `DELETE FROM events WHERE transaction_id = ANY (
      SELECT unnest(transaction_ids) FROM event_ranges WHERE after_position = ${lastRange})`,
    `DELETE FROM event_ranges WHERE after_position = ${lastRange}`,
  ])
    await server.db.query(statement(text));
  await expect(chat.events.list({ after: lost })).rejects.toMatchObject({ code: "invalid_cursor" });
  await chat.users.create({ user_id: "lost_2", name: "Lost" });
  await chat.events.list();
  await expect(chat.events.list({ after: lost })).rejects.toMatchObject({ code: "invalid_cursor" });
  await server.close();
});

test("after a dump is restored on another server, searches find what the index had not consumed", async () => {
  const own = await createDatabase();
  const before = await startServerOn(own.url);
  const chat = chatWith(before);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  const old = { user_id: "kim_01", type: "text" as const, content: "quiet" };
  const history = Array.from({ length: 80 }, (_, index) => ({ ...old, created_at: 1_000 + index }));
  await chat.imports.messages("room_1", history);
  await indexAll(before.db);
  const [, first = { message_id: "" }, second = { message_id: "" }] = await chat.messages
    .list("room_1")
    .toArray();
  await chat.messages.update("room_1", first.message_id, { content: "needle 1" });
  await chat.events.list();
  await before.close();

  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  for (const text of older) await client.query(text);
  await client.end();
  await adoptRestoredEvents(own.url);
  const restored = await startServerOn(own.url);
  const later = chatWith(restored);
  await later.messages.update("room_1", second.message_id, { content: "needle 2" });
  for (const _ of ["restored", "indexed"]) {
    const found = await later.messages.search("room_1", { q: "needle" }).toArray();
    expect(found.map(({ message_id }) => message_id)).toEqual([first.message_id, second.message_id]);
    await indexAll(restored.db);
  }
  await restored.close();
  await own.drop();
});
