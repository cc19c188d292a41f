import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { call } from "../../../../test/support/call";
import { startServer } from "../../../../test/support/server";
import type { Db } from "../../../db/db";
import { createCursors } from "../../../paging/cursor";
import { Numbering } from "../numbering/numbering";
import { findLatest } from "../store";
import { type FeedClient, LiveFeed } from "./live-feed";

/** No message of these tests has files. */
const attachments = { addressesFor: () => () => "" };

const server = await startServer();
afterAll(() => server.close());

const createUser = (user_id: string) =>
  call(server.url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });

/** Remembers the users of the events that it gets, and how it ended. */
function createClient(): FeedClient & { readonly users: (string | undefined)[]; readonly ends: unknown[] } {
  const users: (string | undefined)[] = [];
  const ends: unknown[] = [];
  return {
    users,
    ends,
    receive: ({ events }) =>
      void users.push(...events.map((event) => ("user_id" in event ? event.user_id : undefined))),
    takeTurn: (read) => read(),
    drained: async () => undefined,
    end: (error) => void ends.push(error),
  };
}

test("a client that is ahead of the live feed gets no event twice", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let next: "runs" | "waits" | "waited" = "runs";
  const db: Db = {
    ...server.db,
    async query(statement, values) {
      if (statement.name === "events.read" && next === "waits") {
        next = "waited";
        await released;
      }
      return server.db.query(statement, values);
    },
  };
  const logger = pino({ level: "silent" });
  const numbering = new Numbering(server.db, logger);
  const liveFeed = new LiveFeed({
    db,
    numbering,
    cursors: createCursors({ derive: () => randomBytes(32) }, Buffer.alloc(0)),
    attachments,
    logger,
  });
  const beginning = await findLatest(server.db);
  const create = async (userId: string) => {
    await createUser(userId);
    await numbering.catchUp();
  };
  await create("user_0");
  const latest = await findLatest(server.db);
  const [first, second] = [createClient(), createClient()];

  liveFeed.follow(latest, {}, first);
  await create("user_1");
  await expect.poll(() => first.users).toEqual(["user_1"]);
  // The next read of events is that of the live feed.
  next = "waits";
  await create("user_2");
  await expect.poll(() => next).toBe("waited");
  // It begins before the end, so it reads for itself.
  liveFeed.follow(beginning, {}, second);
  await expect.poll(() => second.users).toEqual(["user_0", "user_1", "user_2"]);
  await sleep(10);
  release();
  await create("user_3");
  await expect.poll(() => second.users).toEqual(["user_0", "user_1", "user_2", "user_3"]);
  await expect.poll(() => first.users).toEqual(["user_1", "user_2", "user_3"]);
  liveFeed.close();
  await numbering.close();
});

test("a client that the live feed overtakes reads once more, and gets no event twice", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let next: "runs" | "waits" | "waited" = "runs";
  let reads = 0;
  const db: Db = {
    ...server.db,
    async query(statement, values) {
      if (statement.name === "events.read") reads += 1;
      const rows = await server.db.query(statement, values);
      if (statement.name === "events.read" && next === "waits") {
        next = "waited";
        await released;
      }
      return rows;
    },
  };
  const logger = pino({ level: "silent" });
  const numbering = new Numbering(server.db, logger);
  const liveFeed = new LiveFeed({
    db,
    numbering,
    cursors: createCursors({ derive: () => randomBytes(32) }, Buffer.alloc(0)),
    attachments,
    logger,
  });
  const beginning = await findLatest(server.db);
  const create = async (userId: string) => {
    await createUser(userId);
    await numbering.catchUp();
  };
  await create("overtaken_0");
  const [first, second] = [createClient(), createClient()];
  liveFeed.follow(await findLatest(server.db), {}, first);
  await create("overtaken_1");
  await expect.poll(() => first.users).toEqual(["overtaken_1"]);
  // The live feed waits for events when it has stopped reading, so the next read is that of the second client.
  for (let known = -1; known !== reads; await sleep(100)) known = reads;
  next = "waits";
  liveFeed.follow(beginning, {}, second);
  await expect.poll(() => next).toBe("waited");
  await create("overtaken_2");
  await expect.poll(() => first.users).toEqual(["overtaken_1", "overtaken_2"]);
  release();
  await expect.poll(() => second.users).toEqual(["overtaken_0", "overtaken_1", "overtaken_2"]);
  // Each event that follows is read once for both.
  await sleep(50);
  const before = reads;
  await create("overtaken_3");
  const all = ["overtaken_0", "overtaken_1", "overtaken_2", "overtaken_3"];
  await expect.poll(() => second.users).toEqual(all);
  await expect.poll(() => first.users).toEqual(all.slice(1));
  await sleep(50);
  // The event, and that there are no more.
  expect(reads - before).toBeLessThanOrEqual(2);
  liveFeed.close();
  await numbering.close();
});

/** A live feed that also looks for events every 50 ms, with a client that has received an event. */
async function follow() {
  const logger = pino({ level: "silent" });
  const numbering = new Numbering(server.db, logger);
  const liveFeed = new LiveFeed({
    attachments,
    db: server.db,
    numbering: {
      follow: (options) => numbering.follow(options),
      catchUp: () => numbering.catchUp(),
      waitBeyond: (position, _timeoutMs, signal) => numbering.waitBeyond(position, 50, signal),
    },
    cursors: createCursors({ derive: () => randomBytes(32) }, Buffer.alloc(0)),
    logger,
  });
  const create = async (userId: string) => {
    await createUser(userId);
    await numbering.catchUp();
  };
  await numbering.catchUp();
  const client = createClient();
  liveFeed.follow(await findLatest(server.db), {}, client);
  await create(`seen_${randomBytes(4).toString("hex")}`);
  await expect.poll(() => client.users).toHaveLength(1);
  const close = () => {
    liveFeed.close();
    return numbering.close();
  };
  return { liveFeed, client, create, close };
}

/** A client that comes later gets the events from then on. */
async function expectLater({ liveFeed, create }: Awaited<ReturnType<typeof follow>>, userId: string) {
  const later = createClient();
  liveFeed.follow(await findLatest(server.db), {}, later);
  await create(userId);
  await expect.poll(() => later.users).toEqual([userId]);
}

const lastRange = "(SELECT after_position FROM event_ranges ORDER BY after_position DESC LIMIT 1)";

test("when the database is restored to an earlier position, clients end and no position of the lost events is known", async () => {
  const feed = await follow();
  const lost = await findLatest(server.db);
  expect(feed.liveFeed.isEnd(lost)).toBe(true);
  await server.db.query({
    name: "test.restore",
    text: `WITH lost AS (DELETE FROM event_ranges WHERE after_position = ${lastRange} RETURNING transaction_ids)
      DELETE FROM events USING lost WHERE transaction_id = ANY (transaction_ids)`,
  });
  await expect.poll(() => feed.client.ends).toEqual([undefined]);
  expect(feed.liveFeed.isEnd(lost)).toBe(false);
  await expectLater(feed, "restored_1");
  expect(feed.liveFeed.isEnd(lost)).toBe(false);
  expect(feed.client.users).toHaveLength(1);
  await feed.close();
});

test("when other events have the positions of lost ones, clients end before they miss any", async () => {
  const feed = await follow();
  const lost = await findLatest(server.db);
  await server.db.query({
    name: "test.renumber",
    text: `UPDATE event_ranges SET nonce = nonce + 1 WHERE after_position = ${lastRange}`,
  });
  await expect.poll(() => feed.client.ends).toEqual([undefined]);
  await expectLater(feed, "restored_2");
  expect(feed.liveFeed.isEnd(lost)).toBe(false);
  await feed.close();
});

test("when the events after the end have expired, clients end with that error", async () => {
  const feed = await follow();
  await server.db.query({
    name: "test.expire",
    text: "UPDATE event_ranges SET after_position = after_position + 1000000, last_position = last_position + 1000000",
  });
  await expect.poll(() => feed.client.ends).toMatchObject([{ code: "events_expired" }]);
  await expectLater(feed, "expired_1");
  await feed.close();
});
