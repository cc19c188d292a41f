import { createHash } from "node:crypto";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { distribute, planDistribution } from "../../src/db/citus/distribute";
import { readSchemaMap } from "../../src/db/citus/schema-map";
import { withConnection } from "../../src/db/connection/with-connection";
import { readSchemas } from "../../src/db/db";
import { migrate } from "../../src/db/migrations/migrate";
import { checkData } from "../support/check-data";
import { type CitusCluster, citusPrograms, createOnNodes, startCitus } from "../support/citus";
import { addMigrations } from "../support/migrations";
import { queryOnce } from "../support/query-once";
import { masterKey, startServerOn } from "../support/server";

let cluster: CitusCluster;
let url: string;
beforeAll(async () => {
  cluster = await startCitus(citusPrograms ?? "");
});
afterAll(() => cluster.stop());

const coordinatorUrl = () => cluster.coordinator.urlOf("postgres");
const workerUrls = () => cluster.workers.map((worker) => worker.urlOf("postgres"));
const run = (database: string) => distribute(database, () => undefined);

test("a database that cannot be distributed: one sentence says what to do", async () => {
  await queryOnce(coordinatorUrl(), "CREATE DATABASE plain");
  const plain = cluster.coordinator.urlOf("plain");
  await expect(run(plain)).rejects.toThrow("Run madang-server migrate first.");
  await migrate(plain);
  await expect(run(plain)).rejects.toThrow("does not have Citus");
  await queryOnce(plain, "CREATE EXTENSION citus");
  await expect(run(plain)).rejects.toThrow("The coordinator has no address in the cluster.");
  await queryOnce(plain, `SELECT citus_set_coordinator_host('127.0.0.1', ${cluster.coordinator.port})`);
  await expect(run(plain)).rejects.toThrow("The cluster has no workers.");

  const name = "unreachable";
  const unreachable = await createOnNodes(coordinatorUrl(), workerUrls(), name);
  await migrate(unreachable);
  const [worker] = cluster.workers;
  const onWorker = worker?.urlOf(name) ?? "";
  await expect(run(onWorker)).rejects.toThrow("Use that of the coordinator.");
  await expect(migrate(onWorker)).rejects.toThrow("Use that of the coordinator.");
  await worker?.stop();
  await expect(run(unreachable)).rejects.toThrow(`The worker 127.0.0.1:${worker?.port} does not respond.`);
  await worker?.start();
});

test("a database with data is distributed, also after interruptions, and keeps every row", async () => {
  url = await createOnNodes(coordinatorUrl(), workerUrls(), "filled");
  await migrate(url);
  const before = await startServerOn(url);
  const chat = new ChatClient({ baseUrl: before.url, apiKey: masterKey });
  const userIds = ["ann_1", "ben_1", "cho_1"];
  for (const user_id of userIds) await chat.users.create({ user_id, name: user_id });
  const channelIds = Array.from({ length: 40 }, (_, index) => `channel_${index}`);
  for (const channel_id of channelIds) {
    await chat.channels.create({ channel_id, name: channel_id, members: userIds });
    await chat.messages.send(channel_id, { user_id: "ann_1", type: "text", content: channel_id });
  }
  const { next } = await chat.events.list({ after: "latest" });
  await before.close();

  const plan = await planDistribution(url, 4);
  expect(plan).toContainEqual(expect.stringMatching(/^1\/\d+ schemas: 4$/));
  expect(plan).toContainEqual(expect.stringMatching(/^messages: \d+ kB$/));
  expect(await withConnection(url, readSchemaMap)).toBeUndefined();

  // Each run ends after one more step than the last one.
  for (let isComplete = false; !isComplete; ) {
    let isInterrupted = false;
    await distribute(
      url,
      (line) => {
        isInterrupted = !line.includes("done before") && line.includes("/");
        if (isInterrupted) throw new Error("interrupted");
      },
      4,
    ).catch((error: Error) => expect(error.message).toBe("interrupted"));
    isComplete = !isInterrupted;
    if (isInterrupted)
      await expect(withConnection(url, readSchemaMap)).rejects.toThrow("Run madang-server distribute again.");
  }
  // Another number has no effect any more.
  const lines: string[] = [];
  await distribute(url, (line) => lines.push(line), 3);
  expect(lines).toContain("1/7 schemas: 4 (done before)");
  const { rows: nodes } = await withConnection(url, (client) =>
    client.query<{ count: number }>(
      `SELECT nodeport, count(*)::integer FROM citus_shards
       WHERE table_name::text LIKE 'channels\\___.channels' GROUP BY 1`,
    ),
  );
  expect(nodes.filter(({ count }) => count === 2)).toHaveLength(2);

  expect(await listUnsampled("user_copies")).toEqual("meta, name, profile_url, suspension_reason");
  expect(await listUnsampled("channels_00.messages")).toEqual(
    "attachments, content, external_id, file, finish_digest, meta, parts, reactions",
  );
  expect(await listUnsampled("channels_00.bans")).toEqual("reason");
  expect(await listUnsampled("channels_00.events")).toEqual("detail");

  const after = await startServerOn(url);
  const again = new ChatClient({ baseUrl: after.url, apiKey: masterKey });
  expect(await again.channels.list().toArray()).toHaveLength(40);
  for (const channelId of channelIds) {
    await again.messages.send(channelId, { user_id: "ben_1", type: "text", content: `${channelId} again` });
    const messages = await again.exports.messages(channelId).toArray();
    expect(messages.map((message) => message.type === "text" && message.content)).toEqual([
      `${channelId} again`,
      channelId,
    ]);
  }
  const { events } = await again.events.list({ after: next });
  expect(events.map((event) => "channel_id" in event && event.channel_id)).toEqual(channelIds);
  await after.close();
  expect(await checkData(url)).toEqual({ lost: 0, duplicated: 0, violations: [] });
});

/** The columns of which PostgreSQL keeps no samples: an erased text would stay among them. The same in every shard. */
async function listUnsampled(table: string): Promise<string> {
  const { rows } = await withConnection(url, (client) =>
    client.query<{ columns: string }>(
      `SELECT DISTINCT result AS columns FROM run_command_on_shards('${table}',
        $$SELECT string_agg(attname, ', ' ORDER BY attname) FROM pg_attribute
          WHERE attrelid = '%s'::regclass AND attstattarget = 0 AND attnum > 0$$)`,
    ),
  );
  return rows.map(({ columns }) => columns).join(" and ");
}

test("an interrupted distribution whose migrations are no longer the latest: one sentence says what to do", async () => {
  const interrupted = await createOnNodes(coordinatorUrl(), workerUrls(), "interrupted");
  await migrate(interrupted);
  const interrupt = () => {
    throw new Error("interrupted");
  };
  await expect(distribute(interrupted, interrupt)).rejects.toThrow("interrupted");
  await queryOnce(
    interrupted,
    "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)",
  );
  await expect(run(interrupted)).rejects.toThrow("Run madang-server distribute with the version that began");
  await expect(migrate(interrupted)).rejects.toThrow("was interrupted");
});

/** Every kind of change that the migrations contain. `citus.sql` changes the rows of each schema. */
const laterMigrations = {
  "90000101000000_new_table/migration.sql": `
    CREATE FUNCTION later_length(content text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT 1; SELECT length(content); $$;
    CREATE TABLE later (pk BIGSERIAL PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ';'));
    CREATE UNIQUE INDEX later_name ON later (name);
    INSERT INTO later (name) VALUES ('a;b');
    CREATE UNLOGGED TABLE later_unlogged (name TEXT PRIMARY KEY)`,
  "90000102000000_columns/migration.sql": `
    ALTER TABLE channels ADD COLUMN later_at BIGINT, ADD COLUMN is_later BOOLEAN NOT NULL DEFAULT false;
    ALTER TABLE messages ADD COLUMN later TEXT;
    ALTER TABLE messages ADD CONSTRAINT messages_later_length CHECK (char_length(later) BETWEEN 1 AND 100) NOT VALID;
    ALTER TABLE members ADD COLUMN later BIGINT;
    ALTER TABLE members ADD CONSTRAINT members_later CHECK ((later IS NULL) = (later IS NULL));
    ALTER TABLE members ALTER COLUMN later SET DEFAULT 7`,
  "90000103000000_fill/migration.sql": `
    UPDATE channels SET later_at = (SELECT max(created_at) FROM messages WHERE channel_pk = channels.pk)`,
  "90000103000000_fill/citus.sql": `
    UPDATE channels SET later_at = found.latest FROM (
      SELECT channel_pk, max(created_at) AS latest FROM messages GROUP BY channel_pk) AS found
    WHERE channels.pk = found.channel_pk`,
  "90000104000000_indexes/migration.sql": `-- no-transaction
    CREATE UNIQUE INDEX CONCURRENTLY messages_later ON messages (channel_pk, later) WHERE later IS NOT NULL;
    CREATE INDEX CONCURRENTLY channels_later ON channels (later_at);
    ALTER TABLE messages VALIDATE CONSTRAINT messages_later_length`,
  "90000105000000_coordinator/migration.sql": `
    LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE;
    DELETE FROM idempotency_keys;
    ALTER TABLE idempotency_keys ADD COLUMN later JSON NOT NULL DEFAULT '{}';
    ALTER TABLE idempotency_keys DROP COLUMN later;
    ALTER TABLE channels DROP COLUMN is_later;
    DROP TABLE later`,
  "90000106000000_users/migration.sql": "ALTER TABLE users ADD COLUMN later BOOLEAN NOT NULL DEFAULT false",
  "90000107000000_table_of_channels/migration.sql": `
    CREATE TABLE later_notes (pk BIGSERIAL PRIMARY KEY, channel_pk BIGINT NOT NULL REFERENCES channels (pk) ON DELETE CASCADE,
      user_pk BIGINT NOT NULL REFERENCES users (pk), note TEXT NOT NULL CHECK (note <> ''));
    CREATE INDEX later_notes_by_channel ON later_notes (channel_pk)`,
};

test("a distributed database is migrated through every kind of change, and serves", async () => {
  const folder = await addMigrations(laterMigrations);
  const before = await startServerOn(url);
  onTestFinished(() => before.close());
  expect(await migrate(url, { folder })).toHaveLength(7);
  const server = await startServerOn(url);
  onTestFinished(() => server.close());
  const read = async (text: string) =>
    (
      await readSchemas<Record<string, unknown>>(
        server.db,
        { name: `test.${createHash("sha256").update(text).digest("hex").slice(0, 20)}`, text },
        [],
      )
    ).flat();
  expect(await read("SELECT pk FROM channels WHERE later_at IS NULL")).toEqual([]);
  for (const [{ url: baseUrl }, user_id] of [
    [server, "dan_1"],
    [before, "eva_1"],
  ] as const) {
    const chat = new ChatClient({ baseUrl, apiKey: masterKey });
    await chat.users.create({ user_id, name: "Dan" });
    await chat.channels.members.join("channel_1", user_id);
    await chat.messages.send("channel_1", { user_id, type: "text", content: "Hello" });
  }
  await queryOnce(url, "UPDATE users SET later = true WHERE user_id = 'dan_1'");
  expect(await read("SELECT user_id FROM users WHERE later")).toEqual(
    server.db.schemas().map(() => ({ user_id: "dan_1" })),
  );
  expect(await read("SELECT DISTINCT later::integer FROM members")).toEqual(
    server.db.schemas().map(() => ({ later: 7 })),
  );
  // A new table of channels is in every schema, with its keys and references.
  const notes = await read(`INSERT INTO later_notes (channel_pk, user_pk, note)
    SELECT c.pk, u.pk, 'note' FROM channels c, users u WHERE u.user_id = 'dan_1' RETURNING pk`);
  expect(new Set(notes.map(({ pk }) => pk)).size).toBe(40);
  await expect(
    read("INSERT INTO later_notes (channel_pk, user_pk, note) VALUES (1, 0, 'x')"),
  ).rejects.toThrow("violates foreign key constraint");
  await expect(migrate(url)).rejects.toThrow("does not know 90000101000000_new_table");
});
