import { expect, onTestFinished, test } from "vitest";
import { readSchemaMap, shardKeyOf } from "../../src/db/citus/schema-map";
import type { Db } from "../../src/db/db";
import { withConnection } from "../../src/db/with-connection";
import { type DueMessages, sweepDueMessages } from "../../src/modules/retention/sweep-store";
import { chatWith } from "../support/chat";
import { execute, readGuide } from "../support/citus";
import { createDatabase, openDatabase } from "../support/database";
import { indexAll } from "../support/index-all";
import { startServerOn } from "../support/server";

const channelIds = Array.from({ length: 24 }, (_, index) => `channel_${index}`);
/** Enough for one block of the search index. */
const perChannel = 40;

test("after a schema is split, searches are exact, erasing by age continues, and the guide removes the signatures of moved channels", async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const server = await startServerOn(database.url);
  onTestFinished(() => server.close());
  const chat = chatWith(server);
  await chat.users.create({ user_id: "ann_1", name: "Ann" });
  for (const channel_id of channelIds) {
    await chat.channels.create({ channel_id, name: channel_id, members: ["ann_1"] });
    await chat.imports.messages(
      channel_id,
      Array.from({ length: perChannel }, (_, index) => ({
        user_id: "ann_1",
        type: "text" as const,
        content: `${index % 2 === 0 ? "noon" : "evening"} ${index}`,
        created_at: 1_700_000_000_000 + index,
      })),
    );
  }
  const expectExact = async () => {
    for (const channelId of channelIds) {
      const found = await chat.messages.search(channelId, { q: "noon" }).toArray();
      expect(found).toHaveLength(perChannel / 2);
    }
  };
  await indexAll(await openUntilTheEnd(database.url));

  const due = sweepDueMessages(server.db, undefined);
  await due.step();

  const map = await withConnection(database.url, readSchemaMap);
  const [[split] = []] = [...Map.groupBy(channelIds, (id) => map?.find(shardKeyOf(id)).id).entries()].sort(
    ([, some], [, others]) => others.length - some.length,
  );
  await execute(
    database.url,
    `SELECT citus_split_shard_by_split_points(schemaid,
      ARRAY[((schemaminvalue::bigint + schemamaxvalue::bigint) / 2)::text],
      (SELECT array_agg(nodeid) FROM pg_dist_node WHERE groupid <> 0), 'block_writes')
    FROM pg_dist_schema WHERE schemaid = ${split}`,
  );
  // The first requests learn that the schema is gone.
  await expect
    .poll(() =>
      expectExact().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const db = await openUntilTheEnd(database.url);
  const countUnread = () =>
    count(db, "WHERE NOT EXISTS (SELECT FROM channels c WHERE c.pk = b.channel_pk)");
  expect(await countUnread()).toBeGreaterThan(0);
  await indexAll(db);
  await expectExact();
  expect(await countUnread()).toBeGreaterThan(0);

  // From docs/guides/distributing.md, as operators copy it.
  const statement = await readGuide(/^ *```sql\n( *SELECT \* FROM run_command_on_colocated[\s\S]*?)^ *```$/m);
  await withConnection(database.url, async (client) =>
    expect((await client.query(statement)).rows).toEqual([]),
  );
  expect(await countUnread()).toBe(0);
  expect(await count(db, "")).toBeLessThan(channelIds.length);
  await execute(database.url, await readGuide(/^ *```sql\n( *DELETE FROM consumers[\s\S]*?)^ *```$/m));
  await indexAll(db);
  expect(await count(db, "")).toBe(channelIds.length);
  await expectExact();

  for (const channelId of channelIds) await chat.channels.setRetention(channelId, { days: 30, hold: false });
  // The round began before the split.
  await expect(sweepAll(due)).rejects.toThrow("could not find valid entry for schema");
  await sweepAll(due);
  expect(await countRows(db, "messages")).toBe(0);
});

async function sweepAll(due: DueMessages): Promise<void> {
  while (await due.step());
}

async function openUntilTheEnd(url: string): Promise<Db> {
  const db = await openDatabase(url);
  onTestFinished(() => db.close());
  return db;
}

/** The number of blocks in the search index, on all schemas. */
const count = (db: Db, condition: string) => countRows(db, `search_blocks b ${condition}`);

/** The number of rows on all schemas. */
async function countRows(db: Db, from: string): Promise<number> {
  const text = `SELECT count(*) AS count FROM ${from}`;
  const counts = db
    .schemas()
    .map((schema) => schema.query<{ count: number }>({ name: `test.count ${from.length}`, text }));
  return (await Promise.all(counts)).flat().reduce((sum, each) => sum + each.count, 0);
}
