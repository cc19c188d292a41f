import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { distribute, planDistribution } from "../../src/db/citus/distribute";
import { readShardMap } from "../../src/db/citus/shard-map";
import { migrate } from "../../src/db/migrate";
import { withConnection } from "../../src/db/with-connection";
import { checkData } from "../support/check-data";
import { type CitusCluster, citusPrograms, createOnNodes, execute, startCitus } from "../support/citus";
import { addMigrations } from "../support/migrations";
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
  await execute(coordinatorUrl(), "CREATE DATABASE plain");
  const plain = cluster.coordinator.urlOf("plain");
  await expect(run(plain)).rejects.toThrow("Run madang-server migrate first.");
  await migrate(plain);
  await expect(run(plain)).rejects.toThrow("does not have Citus");
  await execute(plain, "CREATE EXTENSION citus");
  await expect(run(plain)).rejects.toThrow("The coordinator has no address in the cluster.");
  await execute(plain, `SELECT citus_set_coordinator_host('127.0.0.1', ${cluster.coordinator.port})`);
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

  const plan = await planDistribution(url);
  expect(plan).toContainEqual(expect.stringMatching(/^1\/\d+ functions$/));
  expect(plan).toContainEqual(expect.stringMatching(/^messages: \d+ kB$/));
  expect(plan).toContainEqual(expect.stringMatching(/^Duration: seconds. There are \d+ rows\.$/));
  await execute(
    url,
    `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT (SELECT min(pk) FROM channels), (SELECT min(pk) FROM users), 'text', 'sample', number, number
    FROM generate_series(1, 20000) AS number`,
  );
  expect(await planDistribution(url)).toContainEqual(
    expect.stringMatching(
      /^Duration: at least \d minutes for \d+ rows, at the speed of a sample of 20000: \d+ per/,
    ),
  );
  await execute(url, "DELETE FROM messages WHERE content = 'sample'");
  expect(await withConnection(url, readShardMap)).toBeUndefined();

  // Each run ends after one more step than the last one.
  for (let isComplete = false; !isComplete; ) {
    let isInterrupted = false;
    await distribute(url, (line) => {
      isInterrupted = !line.includes("done before") && line.includes("/");
      if (isInterrupted) throw new Error("interrupted");
    }).catch((error: Error) => expect(error.message).toBe("interrupted"));
    isComplete = !isInterrupted;
    if (isInterrupted)
      await expect(withConnection(url, readShardMap)).rejects.toThrow("Run madang-server distribute again.");
  }
  const lines: string[] = [];
  await distribute(url, (line) => lines.push(line));
  expect(lines).toContain("messages: 40 rows on 2 nodes");
  expect(lines).toContain("members: 120 rows on 2 nodes");

  expect(await listUnsampled("user_copies")).toEqual("meta, name, profile_url, suspension_reason");
  expect(await listUnsampled("messages")).toEqual("content, external_id, file, meta, reactions");
  expect(await listUnsampled("bans")).toEqual("reason");
  expect(await listUnsampled("channel_events")).toEqual("detail");

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
  await execute(
    interrupted,
    "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)",
  );
  await expect(run(interrupted)).rejects.toThrow("Run madang-server distribute with the version that began");
  await expect(migrate(interrupted)).rejects.toThrow("was interrupted");
});

/** Every kind of change that the migrations contain. Where the tables have other keys, a second file is for Citus. */
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
      SELECT channel_pk, shard_key, max(created_at) AS latest FROM messages GROUP BY channel_pk, shard_key) AS found
    WHERE channels.pk = found.channel_pk AND channels.shard_key = found.shard_key`,
  "90000104000000_indexes/migration.sql": `-- no-transaction
    CREATE UNIQUE INDEX CONCURRENTLY messages_later ON messages (channel_pk, later) WHERE later IS NOT NULL;
    CREATE INDEX CONCURRENTLY channels_later ON channels (later_at);
    ALTER TABLE messages VALIDATE CONSTRAINT messages_later_length`,
  "90000104000000_indexes/citus.sql": `-- no-transaction
    CREATE UNIQUE INDEX CONCURRENTLY messages_later ON messages (channel_pk, later, shard_key) WHERE later IS NOT NULL;
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
  "90000106000000_users/citus.sql": `
    ALTER TABLE user_copies ADD COLUMN later BOOLEAN NOT NULL DEFAULT false;
    ALTER TABLE users ADD COLUMN later BOOLEAN NOT NULL DEFAULT false;
    CREATE FUNCTION copy_later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE user_copies SET later = NEW.later WHERE pk = NEW.pk; RETURN NULL; END $$;
    CREATE TRIGGER users_copy_later AFTER UPDATE OF later ON users FOR EACH ROW EXECUTE FUNCTION copy_later()`,
};

test("a distributed database is migrated through every kind of change, and serves", async () => {
  const folder = await addMigrations(laterMigrations);
  expect(await migrate(url, { folder })).toHaveLength(6);
  const read = (sql: string) => withConnection(url, async (client) => (await client.query(sql)).rows);
  expect(await read("SELECT count(*)::integer FROM channels WHERE later_at IS NULL")).toEqual([{ count: 0 }]);
  const server = await startServerOn(url);
  onTestFinished(() => server.close());
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await chat.users.create({ user_id: "dan_1", name: "Dan" });
  await chat.channels.members.join("channel_1", "dan_1");
  await chat.messages.send("channel_1", { user_id: "dan_1", type: "text", content: "Hello" });
  await execute(url, "UPDATE users SET later = true WHERE user_id = 'dan_1'");
  expect(await read("SELECT later FROM user_copies WHERE user_id = 'dan_1'")).toEqual([{ later: true }]);
  expect(await read("SELECT min(later)::integer AS later FROM members")).toEqual([{ later: 7 }]);
  await expect(migrate(url)).rejects.toThrow("does not know 90000101000000_new_table");
});
