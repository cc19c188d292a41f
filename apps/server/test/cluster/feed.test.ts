import { afterAll, expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { measureQueue, numberEvents } from "../../src/modules/events/numbering/number-store";
import { createDatabase, openDatabase } from "../support/database";

const database = await createDatabase();
const db = await openDatabase(database.url);
afterAll(async () => {
  await db.close();
  await database.drop();
});

const emit: Statement<unknown> = {
  name: "test.emit",
  text: `INSERT INTO events (channel_pk, type, channel_id, created_at)
    VALUES (1, 'channel.created', 'channel_1', (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 5000) RETURNING type`,
};

test("the queue contains the events that wait on the nodes of their channels", async () => {
  expect(await measureQueue(db)).toEqual({ queue: 0, lagSeconds: 0 });
  for (const channelId of ["channel_1", "channel_2", "channel_3"]) await db.channel(channelId).query(emit);

  const { queue, lagSeconds } = await measureQueue(db);
  expect(queue).toBe(3);
  expect(lagSeconds).toBeGreaterThanOrEqual(5);
  await numberEvents(db, { waitsForLock: true });
  expect(await measureQueue(db)).toEqual({ queue: 0, lagSeconds: 0 });
});

test("while another process collects events, they are left to it unless all must be numbered", async () => {
  await db.channel("channel_1").query(emit);
  const lock: Statement<unknown> = {
    name: "test.lock",
    text: "SELECT pg_advisory_xact_lock(hashtextextended('madang events of channels', 0))",
  };
  let isLocked = true;
  let numbering: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query(lock);
    expect(await numberEvents(db, { waitsForLock: false })).toMatchObject({
      isOwn: false,
      isOvertaken: true,
    });
    numbering = numberEvents(db, { waitsForLock: true }).then((numbered) => ({ ...numbered, isLocked }));
    // Time enough to number them, if it did not wait.
    await new Promise((resolve) => setTimeout(resolve, 500));
    isLocked = false;
  });
  expect(await numbering).toMatchObject({ isOwn: true, isOvertaken: false, isLocked: false });
});
