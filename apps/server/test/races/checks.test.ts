import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/db";
import { call } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { scale } from "../support/report";
import { untilWaitingNext } from "../support/until-blocking";
import { type Rival, startRival } from "./rival";

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [Rival, Rival];
let other: Database;
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startRival(database.url), startRival(database.url)]);
  other = await openDatabase(database.url);
});
afterAll(async () => {
  await other.close();
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

const request = (index: number, method: string, path: string, body?: unknown) =>
  call(servers[index % 2 === 0 ? 0 : 1].url, method, `/v1${path}`, { ...(body !== undefined && { body }) });

async function createRoom(name: string) {
  await request(0, "POST", "/users", { user_id: `user_${name}`, name: "User" });
  await request(0, "POST", "/group/channels", {
    channel_id: `room_${name}`,
    name: "Room",
    members: [`user_${name}`],
  });
  return `/group/channels/room_${name}`;
}

test("of 64 messages of one person at once on two processes, slow mode lets one pass", async () => {
  for (let round = 0; round < scale(3, 100); round++) {
    const path = await createRoom(`slow_${round}`);
    await request(0, "PUT", `${path}/slow_mode`, { seconds: 3_600 });
    const message = { user_id: `user_slow_${round}`, type: "text", content: "Hi" };
    // The statements of both processes begin while nothing is stored: they wait for the channel.
    const room = `room_slow_${round}`;
    const { sends } = await other.channel(room).transaction(async (tx) => {
      await tx.query({ name: "test.lock", text: "SELECT 1 FROM channels WHERE channel_id = $1 FOR UPDATE" }, [
        room,
      ]);
      const made = Array.from({ length: 64 }, (_, index) =>
        request(index, "POST", `${path}/messages`, message),
      );
      await untilWaitingNext((text) => tx.query({ name: "test.waiting-next", text }));
      return { sends: made };
    });
    const replies = await Promise.all(sends);
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    // One that waited too long for others got 503, and was not stored either.
    expect(count(201)).toBe(1);
    expect(count(429) + count(503)).toBe(63);
    const { body } = await request(0, "GET", path);
    expect(body.total_message_count).toBe(1);
  }
});

test("a second after a filter was created, no process stores what it rejects", async () => {
  const path = await createRoom("filter");
  const message = { user_id: "user_filter", type: "text", content: "spam" };
  let isEnded = false;
  const stored: number[] = [];
  const writers = Array.from({ length: 8 }, async (_, index) => {
    while (!isEnded) {
      const sentAt = performance.now();
      if ((await request(index, "POST", `${path}/messages`, message)).status === 201) stored.push(sentAt);
    }
  });
  await new Promise((done) => setTimeout(done, 300));
  await request(0, "POST", "/filters", { label: "Spam", words: ["spam"], action: "reject" });
  const createdAt = performance.now();
  await new Promise((done) => setTimeout(done, scale(2_500, 10_000)));
  isEnded = true;
  await Promise.all(writers);
  expect(stored.filter((sentAt) => sentAt < createdAt).length).toBeGreaterThan(0);
  expect(stored.filter((sentAt) => sentAt > createdAt + 1_000)).toEqual([]);
});

test("of appends at once, none is stored before the text in front of it is known: no word in two of them passes", async () => {
  const path = await createRoom("appends");
  await request(0, "POST", "/filters", { label: "Two parts", words: ["badword"], action: "reject" });
  await new Promise((done) => setTimeout(done, 1_000));
  const message = { user_id: "user_appends", type: "text", content: "", streaming: true };
  for (let round = 0; round < scale(20, 500); round++) {
    const { body: begun } = await request(round, "POST", `${path}/messages`, message);
    const own = `${path}/messages/${begun.message_id}`;
    const append = (index: number, content: string, via: number) =>
      request(via, "POST", `${own}/append`, { index, content });
    const replies = await Promise.all([
      append(0, "bad", round),
      ...Array.from({ length: 4 }, (_, via) => append(1, "word ", via)),
    ]);
    const { body } = await request(round, "GET", own);
    expect(["", "bad"]).toContain(body.content);
    for (const { body: reply } of replies.slice(1))
      expect(["append_out_of_order", "message_rejected"]).toContain(reply.code);
    await request(round, "PUT", `${own}/finish`, { state: "cancelled" });
  }
});
