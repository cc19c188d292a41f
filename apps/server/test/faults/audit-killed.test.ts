import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { collectEvents } from "../../src/db/citus/collect-events";
import { type Database, everySchema, readSchemas, type Statement } from "../../src/db/db";
import { call } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startProcess } from "./process";

const database = await createDatabase();
afterAll(database.drop);

const writers = 16;
const users = Array.from({ length: writers }, (_, index) => `writer_${index}`);

test("kill -9 of the server at any moment leaves exactly one entry for each committed change", async () => {
  const start = (own: Readonly<Record<string, string>> = {}) =>
    startProcess(database.url, { ...own, MADANG_AUDIT: "all" });
  let server = await start();
  const { url } = server;
  for (const user_id of users) await call(url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });
  for (const room of ["room_1", "room_2"])
    await call(url, "POST", "/v1/group/channels", {
      body: { channel_id: room, name: "Lunch", members: users },
    });
  let isOver = false;
  let acknowledged = 0;
  const change = async (user_id: string, count: number) => {
    const keyed = count % 3 === 0 ? { idempotencyKey: `${user_id}-${count}` } : {};
    const sent =
      count % 4 === 0
        ? call(url, "POST", "/v1/users", {
            body: { user_id: `${user_id}_${count}`, name: "Lee" },
            ...keyed,
          })
        : count % 4 === 1
          ? call(url, "PUT", `/v1/users/${user_id}`, { body: { name: `Kim ${count}` } })
          : call(url, "POST", `/v1/group/channels/room_${1 + (count % 2)}/messages`, {
              body: { user_id, type: "text", content: "Hello" },
              ...keyed,
            });
    const { status } = await sent;
    if (status < 300) acknowledged += 1;
  };
  const load = users.map(async (user_id) => {
    for (let count = 0; !isOver; count++) await change(user_id, count).catch(() => sleep(5));
  });
  for (let round = 0; round < scale(3, 20); round++) {
    const goal = acknowledged + scale(40, 300);
    while (acknowledged < goal) await sleep(5);
    await server.end("SIGKILL");
    server = await start({ PORT: new URL(url).port });
  }
  isOver = true;
  await Promise.all(load);
  await server.end("SIGTERM");
  const db = await openDatabase(database.url);
  await collectEvents(db, { waitsForLock: true });
  const entriesOf = async (operation: string) =>
    (await Promise.all(everySchema(db).map((place) => place.query(readEntries, [operation]))))
      .flat()
      .map(({ id }) => id)
      .sort();
  const read = async (text: string, of: Pick<Database, "schemas"> = { schemas: () => [db] }) =>
    (await readSchemas(of, statement(text), []))
      .flat()
      .map(({ id }) => id)
      .sort();
  const changes = {
    "messages.send": await read("SELECT created_at || '-' || pk AS id FROM messages", db),
    "users.create": await read("SELECT user_id AS id FROM users"),
    "users.update": await read("SELECT user_id AS id FROM events WHERE type = 'user.updated'"),
  };
  for (const [operation, committed] of Object.entries(changes)) {
    expect(committed.length).toBeGreaterThan(0);
    expect(await entriesOf(operation)).toEqual(committed);
  }
  await db.close();
  await report({
    fault:
      "kill -9 of the server with an audit log: changes without their entry, and entries without a change",
    load: `${writers} writers`,
    sent: Object.values(changes).flat().length,
    acknowledged,
    wrong: 0,
  });
});

interface Found {
  readonly id: string;
}

const statement = (text: string): Statement<Found> => ({ name: `test ${text}`.slice(0, 60), text });

const readEntries: Statement<Found> = {
  name: "test.read-audit-entries-of",
  text: "SELECT coalesce(message_id, user_id) AS id FROM audit_entries WHERE operation = $1",
};
