import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer, type TestServer } from "../../../test/support/server";
import type { Reader } from "../../db/db";
import { createCursors } from "../../paging/cursor";
import { type FeedClient, LiveFeed } from "./live-feed";
import { Numbering } from "./numbering";
import { findLatest } from "./store";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createUser = (user_id: string) =>
  call(server.url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });

/** Remembers the users of the events that it gets. */
function createClient(): FeedClient & { readonly users: (string | undefined)[] } {
  const users: (string | undefined)[] = [];
  return {
    users,
    receive: ({ events }) =>
      void users.push(...events.map((event) => ("user_id" in event ? event.user_id : undefined))),
    drained: async () => undefined,
    end: () => undefined,
  };
}

test("a client that is ahead of the live feed gets no event twice", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let next: "runs" | "waits" | "waited" = "runs";
  const db: Reader = {
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
  const liveFeed = new LiveFeed({ db, numbering, cursors: createCursors(randomBytes(32)), logger });
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
  // It begins before the events that the live feed keeps, so it reads for itself.
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
