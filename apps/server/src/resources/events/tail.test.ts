import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer, type TestServer } from "../../../test/support/server";
import type { Reader } from "../../db/db";
import { createCursors } from "../../paging/cursor";
import { startFeed } from "./feed";
import type { Sink } from "./listeners";
import { findLatest } from "./store";
import { createTail } from "./tail";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createUser = (user_id: string) =>
  call(server.url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });

/** Remembers the users of the events that are written. */
function createSink(): { readonly users: string[]; readonly sink: Sink } {
  const users: string[] = [];
  const sink = {
    write: (chunk: string | Buffer) =>
      users.push(...[...String(chunk).matchAll(/"user_id":"(\w+)","data"/g)].map(([, id = ""]) => id)),
    drain: async () => undefined,
    bufferedBytes: 0,
    isOpen: true,
    closed: new Promise<void>(() => undefined),
    end: () => undefined,
    drop: () => undefined,
  };
  return { users, sink };
}

test("a listener that is ahead of the tail gets no event twice", async () => {
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
  const feed = startFeed(server.db, logger);
  const tail = createTail({ db, feed, cursors: createCursors(randomBytes(32)), logger });
  const beginning = await findLatest(server.db);
  const create = async (userId: string) => {
    await createUser(userId);
    await feed.catchUp();
  };
  await create("user_0");
  const latest = await findLatest(server.db);
  const [first, second] = [createSink(), createSink()];

  tail.follow(latest.position, {}, first.sink);
  await create("user_1");
  await expect.poll(() => first.users).toEqual(["user_1"]);
  // The next read of events is that of the tail.
  next = "waits";
  await create("user_2");
  await expect.poll(() => next).toBe("waited");
  // It begins before the events that the tail keeps, so it reads for itself.
  tail.follow(beginning.position, {}, second.sink);
  await expect.poll(() => second.users).toEqual(["user_0", "user_1", "user_2"]);
  await sleep(10);
  release();
  await create("user_3");
  await expect.poll(() => second.users).toEqual(["user_0", "user_1", "user_2", "user_3"]);
  await expect.poll(() => first.users).toEqual(["user_1", "user_2", "user_3"]);
  feed.release();
  await feed.close();
});
