import { ChatClient } from "@madang/client";
import { expect, test } from "vitest";
import { holdConversation } from "../../test/support/conversation";
import { createDatabase } from "../../test/support/database";
import { masterKey, startServerOn } from "../../test/support/server";
import { sweepDeletedChannels, sweepDeletedUsers } from "../../test/support/sweep";
import type { Db, Queryable } from "./db";
import { createNamer, nameEach, plainNames } from "./tables";
import { withConnection } from "./with-connection";

test("tables in braces get their names; nothing else changes", () => {
  const text = "SELECT 'members', m.* FROM {channels} c JOIN {members} m ON m.meta <> '{}' AND members = 0";
  const nameTables = createNamer({ ...plainNames, channels: "channels_7", members: "members_8" });
  expect(nameTables(text)).toBe(
    "SELECT 'members', m.* FROM channels_7 c JOIN members_8 m ON m.meta <> '{}' AND members = 0",
  );
  expect(() => nameTables("SELECT FROM {rooms}")).toThrow("There is no table {rooms}.");
});

test("the statements on a shard name its tables in braces", async () => {
  const database = await createDatabase();
  const server = await startServerOn(database.url);
  const statements = recordShards(server.db);
  await holdConversation(new ChatClient({ baseUrl: server.url, apiKey: masterKey }));
  while (await sweepDeletedUsers(server.db));
  while (await sweepDeletedChannels(server.db));
  await server.close();
  expect(statements.size).toBeGreaterThan(20);

  const names = nameEach((table) => `${table}_of_shard`);
  const nameTables = createNamer(names);
  await withConnection(database.url, async (client) => {
    for (const [table, name] of Object.entries(names))
      await client.query(`ALTER TABLE ${table} RENAME TO ${name}`);
    // PostgreSQL rejects a statement with a table that it does not find.
    for (const [name, text] of statements) await client.query(`PREPARE "${name}" AS ${nameTables(text)}`);
  });
  await database.drop();
});

/** From now on, the statements that the database runs on a shard, by their names. */
function recordShards(db: Db): ReadonlyMap<string, string> {
  const statements = new Map<string, string>();
  const shardOf = (shard: Queryable): Queryable => ({
    ...shard,
    query: (statement, values) => {
      statements.set(statement.name, statement.text);
      return shard.query(statement, values);
    },
    transaction: (work) => shard.transaction((tx) => work(shardOf(tx))),
    channel: (channelId) => shardOf(shard.channel(channelId)),
  });
  const wholeOf = (whole: Queryable): Pick<Queryable, "transaction" | "channel" | "shards"> => ({
    transaction: (work) => whole.transaction((tx) => work({ ...tx, ...wholeOf(tx) })),
    channel: (channelId) => shardOf(whole.channel(channelId)),
    shards: () => whole.shards().map(shardOf),
  });
  Object.assign(db, wholeOf({ ...db }));
  return statements;
}
