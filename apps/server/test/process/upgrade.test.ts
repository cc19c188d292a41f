import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRolledBack } from "../../src/db/faults";
import { migrate } from "../../src/db/migrations/migrate";
import { type ServerProcess, startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createEmptyDatabase } from "../support/database";
import { migrateUntil } from "../support/migrations";

/*
 * From the last release to this version. Statements stand for its processes, which run until the new ones have replaced them. With
 * each release, they become those of the release, and the migration its last one.
 */

const released = "20261121000000_init";
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let url: string;
let server: ServerProcess | undefined;
beforeAll(async () => {
  database = await createEmptyDatabase();
  url = database.url;
  await migrateUntil(url, `${released}~`);
  await withClient(url, async (client) => {
    for (const statement of given) await client.query(statement);
  });
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await database.drop();
});

const given = [
  `INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at, deleted_at)
    VALUES ('kim_01', '김', 'https://example.com/kim.png', '{"team": "blue"}', 1, 1, NULL), ('gone_05', 'Gone', NULL, '{}', 1, 1, 2)`,
  `INSERT INTO channels (channel_id, name, total_message_count, member_count, last_message_at, latest_at, created_at, updated_at)
    VALUES ('lunch_01', 'Lunch', 1, 1, 3, 3, 1, 1)`,
  "INSERT INTO members (channel_pk, user_pk, joined_at) SELECT c.pk, u.pk, 1 FROM channels c, users u WHERE user_id = 'kim_01'",
  `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', 'before I go', 3, 3 FROM channels c, users u WHERE user_id = 'gone_05'`,
];

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Prepared once per connection, as a server does it. */
const statements = {
  createUser: `INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at)
    VALUES ($1, $1, NULL, '{}', $2, $2) RETURNING pk, user_id AS "userId"`,
  send: `WITH sender AS (
      SELECT pk FROM users WHERE user_id = 'kim_01' AND deleted_at IS NULL FOR KEY SHARE
    ), place AS (
      UPDATE channels c SET total_message_count = c.total_message_count + 1, last_message_at = $2, latest_at = GREATEST(latest_at, $2)
      FROM sender WHERE c.channel_id = 'lunch_01' AND c.deleted_at IS NULL
        AND EXISTS (SELECT FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk)
      RETURNING c.pk AS channel_pk, sender.pk AS sender_pk)
    INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content, file, meta)
    SELECT channel_pk, sender_pk, $2::bigint, $2::bigint, 'text', $1, NULL, '{}' FROM place RETURNING pk`,
  export: `SELECT m.pk, m.content, m.created_at FROM messages m JOIN channels c ON c.pk = m.channel_pk
    WHERE c.channel_id = 'lunch_01' AND c.deleted_at IS NULL ORDER BY m.created_at DESC, m.pk DESC LIMIT 100`,
  keys: "SELECT pk, digest FROM sub_keys WHERE master_id IS NOT NULL",
};

test("a database of the last release is migrated and served while its processes still write", async () => {
  const written: string[] = [];
  let isReplaced = false;
  const oldProcess = (index: number) =>
    withClient(url, async (client) => {
      const run = async (id: keyof typeof statements, values: unknown[] = []) => {
        for (;;) {
          try {
            return await client.query({ name: id, text: statements[id], values });
          } catch (error) {
            // A server repeats what PostgreSQL undid after a deadlock.
            if (!isRolledBack(error)) throw error;
          }
        }
      };
      for (let count = 0; !isReplaced; count++) {
        const id = `old_${index}_${count}`;
        await run("createUser", [id, Date.now()]);
        const { rowCount } = await run("send", [id, Date.now()]);
        expect(rowCount).toBe(1);
        written.push(id);
        await run("export");
        await run("keys");
      }
    });
  const running = [0, 1, 2, 3].map(oldProcess);
  const failed = Promise.all(running);
  while (written.length < 20) await Promise.race([failed, new Promise(setImmediate)]);

  await migrate(url);
  server = await startProcess(url);
  const both = written.length;
  while (written.length < both + 20) await Promise.race([failed, new Promise(setImmediate)]);
  const { url: newUrl } = server;
  const send = (id: string) =>
    call(newUrl, "POST", "/v1/group/channels/lunch_01/messages", {
      body: { user_id: "kim_01", type: "text", content: id },
      idempotencyKey: id,
    });
  const sent = await Promise.all(Array.from({ length: 19 }, (_, index) => send(`new_${index}`)));
  expect(sent.map(({ status }) => status)).toEqual(Array(19).fill(201));
  isReplaced = true;
  await failed;
  expect((await send("new_19")).status).toBe(201);

  const { body } = await call(server.url, "GET", "/v1/group/channels/lunch_01");
  expect(body.total_message_count).toBe(1 + written.length + 20);
  const stored = await exportAll(server.url);
  expect(stored).toHaveLength(1 + written.length + 20);
  expect(stored).toEqual(expect.arrayContaining([...written, "before I go", "new_19"]));
  expect(await checkData(url)).toMatchObject({ violations: [] });
});

test("users, deletions and members of the last release are as they were", async () => {
  const get = (path: string) => call(server?.url ?? "", "GET", path);
  expect((await get("/v1/users/kim_01")).body).toMatchObject({
    name: "김",
    profile_url: "https://example.com/kim.png",
    meta: { team: "blue" },
  });
  expect((await get("/v1/users/gone_05")).body.code).toBe("user_not_found");
  const { body: members } = await get("/v1/group/channels/lunch_01/members");
  expect(members.map(({ user_id }: { user_id: string }) => user_id)).toEqual(["kim_01"]);
});

async function exportAll(baseUrl: string): Promise<string[]> {
  const found: string[] = [];
  const path = "/v1/exports/group/channels/lunch_01/messages";
  for (let query: string | undefined = "limit=1000"; query !== undefined; ) {
    const { body } = await call(baseUrl, "GET", `${path}?${query}`);
    for (const { content, file } of body.messages) found.push(content ?? file.name);
    query = body.next === undefined ? undefined : `next=${encodeURIComponent(body.next)}`;
  }
  return found;
}
