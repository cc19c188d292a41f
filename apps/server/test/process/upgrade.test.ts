import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRolledBack } from "../../src/db/faults";
import { migrate } from "../../src/db/migrations/migrate";
import { type ServerProcess, startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createEmptyDatabase } from "../support/database";

/*
 * From the first version to this one. The dump was written by the first version's server, with the master key of the
 * tests. Its own statements stand for its processes, which run until the new ones have replaced them.
 */

const subKey = "sk_JBaSUIYJgFb3LDFtQm3k40lxaTnnMvC6G48iMyAgAAinWqbRF6QhUQLgDofp1SUm";
const cursor =
  "eyJmaWx0ZXJzIjp7InRpbWV6b25lIjoiVVRDIiwiY2hhbm5lbCI6IjEifSwibGltaXQiOjEwMCwiYWZ0ZXIiOnsiY3JlYXRlZEF0IjoxNzk1MzEyNDM2NDEwLCJwayI6MjJ9fQ.y4HhiFVJus6fc6DHrFbiqg";
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let url: string;
let server: ServerProcess | undefined;
beforeAll(async () => {
  database = await createEmptyDatabase();
  url = database.url;
  const dump = await readFile(new URL("first-version.sql", import.meta.url), "utf8");
  await withClient(url, (client) => client.query(dump));
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await database.drop();
});

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Prepared once per connection, as the first version did it. */
const statements = {
  createUser: `INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at)
    VALUES ($1, $1, NULL, '{}', $2, $2) RETURNING pk, user_id AS "userId"`,
  send: `WITH sender AS (
      SELECT pk FROM users WHERE user_id = 'kim_01' AND deleted_at IS NULL FOR KEY SHARE
    ), place AS (
      UPDATE channels c SET total_message_count = c.total_message_count + 1
      FROM sender WHERE c.channel_id = 'lunch_01' AND c.deleted_at IS NULL
        AND EXISTS (SELECT FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk)
      RETURNING c.pk AS channel_pk, sender.pk AS sender_pk)
    INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content, file, meta)
    SELECT channel_pk, sender_pk, $2::bigint, $2::bigint, 'text', $1, NULL, '{}' FROM place RETURNING pk`,
  export: `SELECT m.pk, m.content, m.created_at FROM messages m JOIN channels c ON c.pk = m.channel_pk
    WHERE c.channel_id = 'lunch_01' AND c.deleted_at IS NULL ORDER BY m.created_at DESC, m.pk DESC LIMIT 100`,
  keys: "SELECT pk, digest FROM sub_keys WHERE master_id IS NOT NULL",
};

test("a database of the first version is migrated and served while its processes still write", async () => {
  const written: string[] = [];
  let isReplaced = false;
  const oldProcess = (index: number) =>
    withClient(url, async (client) => {
      const run = async (id: keyof typeof statements, values: unknown[] = []) => {
        for (;;) {
          try {
            return await client.query({ name: id, text: statements[id], values });
          } catch (error) {
            // The first version repeats what PostgreSQL undid after a deadlock.
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
  /** Requests with an idempotency key: the first version stores their responses until the migration replaces the column. */
  const storeResponses = (index: number) =>
    withClient(url, async (client) => {
      const insert = `INSERT INTO idempotency_keys (caller, key, fingerprint, answer, created_at) VALUES ('master', $1, '', '', 1)`;
      for (let count = 0; ; count++)
        try {
          await client.query({ name: "store", text: insert, values: [`old_${index}_${count}`] });
        } catch (error) {
          if (isRolledBack(error)) continue;
          expect(error).toMatchObject({ message: expect.stringContaining('column "answer"') });
          return;
        }
    });
  const running = [...[0, 1, 2, 3].map(oldProcess), ...[4, 5, 6].map(storeResponses)];
  const failed = Promise.all(running);
  while (written.length < 20) await Promise.race([failed, new Promise(setImmediate)]);

  expect(await migrate(url)).not.toEqual([]);
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
  // The first version does not keep the time of the last message; the next message mends it.
  expect((await send("new_19")).status).toBe(201);

  const { body } = await call(server.url, "GET", "/v1/group/channels/lunch_01");
  expect(body.total_message_count).toBe(121 + written.length + 20);
  const stored = await exportAll(server.url);
  expect(stored).toHaveLength(121 + written.length + 20);
  expect(stored).toEqual(
    expect.arrayContaining([...written, "message 1", "message 120", "menu.png", "new_19"]),
  );
  expect(await checkData(url)).toMatchObject({ violations: [] });
});

test("users, roles, deletions, sub keys and cursors of the first version are as they were", async () => {
  const get = (path: string, key?: string) =>
    call(server?.url ?? "", "GET", path, key === undefined ? {} : { key });
  expect((await get("/v1/users/kim_01")).body).toMatchObject({
    name: "김",
    profile_url: "https://example.com/kim.png",
    meta: { team: "blue" },
  });
  expect((await get("/v1/users/gone_05")).body.code).toBe("user_not_found");
  const { body: members } = await get("/v1/group/channels/lunch_01/members", subKey);
  expect(members.map(({ user_id }: { user_id: string }) => user_id)).toEqual(["kim_01", "park_03"]);
  expect((await get("/v1/group/channels/other_01/members")).body).toEqual([]);
  const { body: managers } = await get("/v1/group/channels/lunch_01/managers");
  expect(managers).toMatchObject([{ user_id: "park_03" }]);
  const { body: exported } = await get("/v1/exports/group/channels/other_01/messages");
  expect(exported.messages).toMatchObject([
    { content: "before I go", user: { user_id: "gone_05", name: "Gone" } },
  ]);
  expect((await get("/v1/applications/keys")).body).toMatchObject([{ key: subKey }]);
  const next = await get(`/v1/exports/group/channels/lunch_01/messages?next=${cursor}`);
  expect(next.body.messages.at(-1)).toMatchObject({ content: "message 1" });
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
