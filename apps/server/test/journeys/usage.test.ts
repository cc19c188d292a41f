import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { collectEvents } from "../../src/db/citus/collect-events";
import { numberEvents } from "../../src/modules/events/numbering/number-store";
import { sweepExpiredEvents } from "../../src/modules/events/store";
import { countUsage } from "../../src/modules/usage/store";
import { chatWith } from "../support/chat";
import { createDatabase } from "../support/database";
import { startServerOn, type TestServer } from "../support/server";

const dayMs = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);

const database = await createDatabase();
const server = await startServerOn(database.url);
beforeEach(async () => {
  // A test that runs over midnight would have two days.
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < 30_000) await sleep(leftMs + 100);
  await countAll();
  await run("DELETE FROM usage_days RETURNING 1");
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

let number = 0;
const nextId = () => `user_${++number}`;
const run = (text: string) => server.db.query({ name: `test.${text.slice(0, 50)}`, text });
const createUser = async () => {
  const user_id = nextId();
  await chatWith(server).users.create({ user_id, name: "User" });
  return user_id;
};

async function countAll(): Promise<void> {
  while ((await numberEvents(server.db, { waitsForLock: true })).isOvertaken);
  while ((await countUsage(server.db)) === true);
}

const readDays = async (days: number) => (await chatWith(server).usage.daily({ days })).days;

test("everything that is done counts once, on its day, and nothing else does", async () => {
  const chat = chatWith(server);
  const [kim, lee] = [await createUser(), await createUser()];
  const { channel } = await chat.channels.create({ channel_id: kim, name: "Room", members: [kim, lee] });
  const room = channel.channel_id;
  const text = { user_id: kim, type: "text", content: "Hi" } as const;
  const sent = await Promise.all(Array.from({ length: 5 }, () => chat.messages.send(room, text)));
  const old = { ...text, created_at: 1_600_000_000_000 };
  await chat.imports.messages(room, [
    { ...old, external_id: "a" },
    { ...old, external_id: "b" },
  ]);
  await chat.imports.messages(room, [
    { ...old, external_id: "b" },
    { ...old, external_id: "c" },
  ]);
  await chat.messages.update(room, sent[0]?.message_id ?? "", { content: "Hello" });
  for (const { message_id } of sent.slice(0, 2)) await chat.messages.delete(room, message_id);
  await expect(chat.messages.delete(room, sent[0]?.message_id ?? "")).rejects.toMatchObject({ status: 404 });
  await chat.users.delete(lee);
  await countAll();
  await countAll();
  expect(await readDays(1)).toEqual([
    {
      day: today(),
      users_created: 2,
      users_deleted: 1,
      channels_created: 1,
      messages_sent: 5,
      messages_imported: 3,
      messages_deleted: 2,
    },
  ]);
});

test("days are those of UTC, oldest first; one without anything has zeros", async () => {
  const startOfToday = Math.floor(Date.now() / dayMs) * dayMs;
  const times = [startOfToday - 2 * dayMs, startOfToday - 1, startOfToday];
  for (const _ of times) await createUser();
  await collectEvents(server.db, { waitsForLock: true });
  const rows = await run(
    "SELECT pk FROM events WHERE type = 'user.created' ORDER BY created_at DESC, pk DESC LIMIT 3",
  );
  for (const [index, row] of rows.entries())
    await run(`UPDATE events SET created_at = ${times[index]} WHERE pk = ${Object(row).pk} RETURNING 1`);
  await countAll();
  const days = await readDays(4);
  expect(days.map(({ day }) => day)).toEqual(
    [3, 2, 1, 0].map((ago) => new Date(startOfToday - ago * dayMs).toISOString().slice(0, 10)),
  );
  expect(days.map(({ users_created }) => users_created)).toEqual([0, 1, 1, 1]);
});

test("events that are not counted do not expire; when they have expired, the counts stay", async () => {
  const inFuture = -60_000;
  await createUser();
  await numberEvents(server.db, { waitsForLock: true });
  await createUser();
  await numberEvents(server.db, { waitsForLock: true });
  while (await sweepExpiredEvents(server.db, inFuture));
  await countAll();
  expect((await readDays(1))[0]?.users_created).toBe(2);
  while (await sweepExpiredEvents(server.db, inFuture));
  await createUser();
  await countAll();
  expect((await readDays(1))[0]?.users_created).toBe(3);
});

test("processes that count at the same time count each event once", async () => {
  const other = await startServerOn(database.url);
  let isWriting = true;
  const count = async (db: TestServer["db"]) => {
    while (isWriting) {
      await numberEvents(db, { waitsForLock: false });
      await countUsage(db);
    }
  };
  const counters = [server, other, server, other].map(({ db }) => count(db));
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 5 }, createUser));
  isWriting = false;
  await Promise.all(counters);
  await countAll();
  expect((await readDays(1))[0]?.users_created).toBe(100);
  await other.close();
});

test("a running server counts within five seconds", async () => {
  const counting = await startServerOn(database.url, { hasBackgroundTasks: true });
  await createUser();
  await expect.poll(async () => (await readDays(1))[0]?.users_created, { interval: 100 }).toBe(1);
  await counting.close();
});
