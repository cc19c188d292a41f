import { afterAll, beforeAll, expect, test } from "vitest";
import { everySchema, readSchemas, type Statement } from "../../src/db/db";
import { sweepIdempotencyKeys } from "../../src/write/idempotency-store";
import { readEntries } from "../support/audit-entries";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { startServerOn, type TestServer } from "../support/server";

const channelIds = Array.from({ length: 20 }, (_, index) => `channel_${10 + index}`);

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase();
  server = await startServerOn(database.url, { settings: { MADANG_AUDIT: "all" } });
  await call(server.url, "POST", "/v1/users", { body: { user_id: "ann_1", name: "Ann" } });
  for (const channel_id of channelIds)
    await call(server.url, "POST", "/v1/group/channels", {
      body: { channel_id, name: channel_id, members: ["ann_1"] },
    });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const message = { channel_ids: channelIds, user_id: "ann_1", type: "text", content: "Hello" };
const announce = (key = "hello", to = channelIds) =>
  call(server.url, "POST", "/v1/messages", {
    body: { ...message, channel_ids: to },
    headers: { "Idempotency-Key": key },
  });

const countMessages: Statement<{ count: number }> = {
  name: "test.count-messages",
  text: "SELECT count(*) FROM messages",
};
const count = async () =>
  (await readSchemas(server.db, countMessages, [])).flat().reduce((sum, each) => sum + each.count, 0);

const run = (text: string) => server.db.query({ name: `test.${text.slice(0, 50)}`, text });

test("a message to several channels that was interrupted is completed when it is sent again, and has one entry", async () => {
  // The last schema rejects it, after the others have committed.
  const last = channelIds
    .map((id) => server.db.channel(id))
    .findLast((schema, index, all) => all.indexOf(schema) === index);
  const index = server.db.schemas().findIndex((schema) => schema === last);
  await run(`ALTER TABLE channels_0${index}.messages ADD CONSTRAINT test_rejected CHECK (false) NOT VALID`);
  expect((await announce()).status).toBe(500);
  const sent = await count();
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(channelIds.length);
  await run(`ALTER TABLE channels_0${index}.messages DROP CONSTRAINT test_rejected`);

  const { status, body } = await announce();
  expect(status).toBe(200);
  expect(body.results.map((result: { channel_id: string }) => result.channel_id)).toEqual(channelIds);
  expect(await count()).toBe(channelIds.length);
  const again = await announce();
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body).toEqual(body);
  expect(await count()).toBe(channelIds.length);
  const entries = (await readEntries(server)).filter(({ operation }) => operation === "messages.sendMany");
  expect(entries).toHaveLength(1);
});

test("of concurrent messages to several channels with one key, one is sent, and all get its results", async () => {
  const before = await count();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => announce(`at-once-${round}`)));
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 200, body: answers[0]?.body });
    const replayed = answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true");
    expect(replayed).toHaveLength(7);
  }
  expect(await count()).toBe(before + 10 * channelIds.length);
});

test("of concurrent messages to different channels with one key, one is sent, and the others are rejected", async () => {
  const before = await count();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      channelIds.map((channelId) => announce(`reused-${round}`, [channelId])),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: channelIds.length - 1 }, () => 409)]);
  }
  expect(await count()).toBe(before + 10);
});

test("while the schemas have old keys, a message to several channels is repeated as a whole; then all of it is sent anew", async () => {
  expect((await announce("old")).status).toBe(200);
  const [schema] = server.db.schemas();
  // More than a step removes.
  const backlog = `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at, result)
    SELECT 'none', n::text, '', 0, '[]' FROM generate_series(1, 1500) AS n`;
  await schema?.query({ name: "test.add-old-keys", text: backlog });
  const old = "UPDATE idempotency_keys SET created_at = 0 WHERE key = 'old'";
  for (const place of everySchema(server.db)) await place.query({ name: "test.make-old", text: old });
  const isReplayed = async () => (await announce("old")).headers.has("Idempotent-Replayed");
  const before = await count();
  expect(await sweepIdempotencyKeys(server.db)).toBe(true);
  expect(await isReplayed()).toBe(true);
  expect(await count()).toBe(before);
  while (await sweepIdempotencyKeys(server.db));
  expect(await isReplayed()).toBe(false);
  expect(await count()).toBe(before + channelIds.length);
});
