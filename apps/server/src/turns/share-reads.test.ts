import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer, type TestServer } from "../../test/support/server";

const channels = 5_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const user_id of ["busy_01", "other_02"])
    await call(server.url, "POST", "/v1/users", { body: { user_id, name: user_id } });
  const body = { channel_id: "room_1", name: "Lunch", members: ["other_02"] };
  await call(server.url, "POST", "/v1/group/channels", { body });
  for (const text of fill) await server.db.query({ name: text.slice(0, 60), text });
});
afterAll(() => server.close());

/** Each channel has unread messages for the first user. */
const fill = [
  `INSERT INTO channels (channel_id, name, created_at, updated_at, total_message_count, last_message_at, latest_at)
    SELECT 'many_' || n, 'Many', 1, 1, 20, 20, 20 FROM generate_series(1, ${channels}) AS n`,
  `INSERT INTO members (channel_pk, user_pk, joined_at)
    SELECT c.pk, u.pk, 1 FROM channels c, users u WHERE channel_id LIKE 'many%' AND user_id = 'busy_01'`,
  `INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content, meta)
    SELECT c.pk, u.pk, n, n, 'text', 'x', '{}' FROM channels c, users u, generate_series(1, 20) AS n
    WHERE channel_id LIKE 'many%' AND user_id = 'other_02'`,
  "ANALYZE",
];

const unreadOf = (userId: string) => call(server.url, "GET", `/v1/users/${userId}/unread`);

// On a busy machine, the other calls may get no turn while the counts are read.
test("many unread counts of a user with many channels at once delay no other calls, and are all right", {
  retry: 3,
}, async () => {
  const counting = Promise.all(Array.from({ length: 100 }, () => unreadOf("busy_01")));
  let isOver = false;
  void counting.finally(() => {
    isOver = true;
  });
  let others = 0;
  for (; !isOver; others++) expect((await call(server.url, "GET", "/v1/users/other_02")).status).toBe(200);
  for (const { status, body } of await counting)
    expect([status, body]).toEqual([
      200,
      { unread_count: channels * 20, channel_count: channels, quiet_unread_count: 0 },
    ]);
  // If the counts took every connection, the first other call would wait for nearly all of them.
  expect(others).toBeGreaterThan(3);
});

test("a shared count sees what was read before it was asked for", async () => {
  const reading = Array.from({ length: 20 }, async (_, index) => {
    const path = `/v1/group/channels/many_${index + 1}/members/busy_01/read`;
    expect((await call(server.url, "PUT", path, { body: {} })).status).toBe(200);
    const { body } = await unreadOf("busy_01");
    return body.channel_count;
  });
  const counts = await Promise.all(reading);
  for (const count of counts) expect(count).toBeLessThan(channels);
  expect((await unreadOf("busy_01")).body.channel_count).toBe(channels - 20);
});
