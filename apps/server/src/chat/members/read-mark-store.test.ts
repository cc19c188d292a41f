import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import { countWaiting } from "../../../test/support/until-blocking";
import { openOnlySchema } from "../../db/connection/open-session";
import type { WriteRequest } from "../../write/request";
import { runCalls } from "../../write/run-command";
import { openWriter } from "../../write/writer";
import { markRead, moveMark } from "./read-mark-store";

const server = await startServer();
const users = Array.from({ length: 40 }, (_, index) => `reader_${index}`);
for (const user_id of users)
  await call(server.url, "POST", "/v1/users", { body: { user_id, name: user_id } });
const body = { channel_id: "room", name: "Room", members: users };
await call(server.url, "POST", "/v1/group/channels", { body });
const sent = await call(server.url, "POST", "/v1/group/channels/room/messages", {
  body: { user_id: "reader_0", type: "text", content: "Hi" },
});
afterAll(() => server.close());

const requestOf = (key: string): WriteRequest => ({
  key: { caller: "test", key, fingerprint: "00" },
  entry: JSON.stringify({
    operation: "channels.members.markRead",
    method: "PUT",
    status: 200,
    kind: "master",
    address: "::1",
  }),
});
const markOf = (userId: string) => ({ channelId: "room", userId, position: undefined });
const rowOf = (userId: string) => ({
  channel_id: "room",
  user_id: userId,
  until_at: undefined,
  until_pk: undefined,
});
const count = async (table: string) =>
  (await server.db.query({ name: `test.count ${table}`, text: `SELECT FROM ${table}` })).length;

test("read marks with idempotency keys and audit entries share statements", async () => {
  let statements = 0;
  const counting = openOnlySchema({
    query(statement, values) {
      statements += 1;
      return server.db.query(statement, values);
    },
    transaction: server.db.transaction,
    takeTurn: server.db.takeTurn,
  });
  const markAll = () => {
    const writers = users.map((user) => openWriter(counting, requestOf(user)));
    const marks = writers.map((writer, index) => markRead(writer, markOf(users[index] ?? "")));
    return Promise.all(marks).then((states) => ({
      marks: states.map(({ readAt, readPk, unreadCount }) => [readAt, readPk, unreadCount]),
      outcomes: writers.map(({ state }) => state.outcome),
    }));
  };
  const entries = await count("audit_entries");
  const first = await markAll();
  expect(first.outcomes).toEqual(users.map(() => "written"));
  const [at, pk] = sent.body.message_id.split("-").map(Number);
  expect(first.marks).toEqual(users.map(() => [at, pk, 0]));
  const again = await markAll();
  expect(again).toEqual({ marks: first.marks, outcomes: users.map(() => "replayed") });
  expect(await count("audit_entries")).toBe(entries + users.length);
  expect(statements).toBeLessThan(10);
});

test("two processes that repeat the same marks at the same time do not deadlock", async () => {
  const marks = ["a", "m", "z"].map((key, index) => ({ key, row: rowOf(users[index] ?? "") }));
  const markAll = (order: typeof marks) =>
    runCalls(
      server.db,
      moveMark,
      order.map(({ key, row }) => ({ write: openWriter(server.db, requestOf(key)), row })),
    );
  const both = await server.db.transaction(async (tx) => {
    // Both batches wait for the second key when they have stored their first one.
    const text = `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result) VALUES ('test', 'm', '', 0, '[]') RETURNING 1`;
    await tx.query({ name: "test.take-key", text });
    const both = Promise.allSettled([markAll(marks), markAll(marks.toReversed())]);
    await expect.poll(() => countWaiting(server.db)).toBe(2);
    await tx.query({
      name: "test.free-key",
      text: "DELETE FROM idempotency_keys WHERE created_at = 0 RETURNING 1",
    });
    return { settled: both };
  });
  const codes = (await both.settled).map((one) => (one.status === "rejected" ? one.reason.code : "stored"));
  // The second one may also have begun after the first one had ended.
  expect(["23505,stored", "stored,stored"]).toContain(String(codes.toSorted()));
});

test("a batch of read marks waits for locks no longer than it may", async () => {
  const limit = await server.db.transaction(async (tx) => {
    const calls = [{ write: openWriter(tx, requestOf("brief")), row: rowOf("reader_5") }];
    await runCalls(tx, moveMark, calls, 1_234);
    return tx.query({ name: "test.lock-timeout", text: "SELECT current_setting('lock_timeout') AS limit" });
  });
  expect(limit).toEqual([{ limit: "1234ms" }]);
});
