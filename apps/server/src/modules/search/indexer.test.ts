import { afterAll, expect, test } from "vitest";
import { chatWith } from "../../../test/support/chat";
import { indexAll } from "../../../test/support/index-all";
import { startServer, startServerOn } from "../../../test/support/server";
import { numberEvents } from "../events/numbering/number-store";
import { createIndexer } from "./indexer";

const server = await startServer();
// The default. PostgreSQL ends a session whose transaction waits for the process for as long.
const indexing = await startServerOn(server.databaseUrl, {
  settings: { MADANG_STATEMENT_TIMEOUT_MS: "3000" },
});
afterAll(async () => {
  await indexing.close();
  await server.close();
});

const longest = "Ünïcödé wörds ".repeat(4_681);
const perBlock = 32;
const messageCount = 20 * perBlock;

/** Stores messages of 65,534 characters. */
const storeLongest = {
  name: "test.store-longest",
  text: `INSERT INTO messages (channel_pk, created_at, updated_at, type, content)
    SELECT pk, number, number, 'system', $1 FROM channels, generate_series(1, $2::integer) AS number RETURNING pk`,
};

test("many messages of the maximum length are indexed, and so are edits of many of them", async () => {
  const chat = chatWith(server);
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: [] });
  const stored = await server.db
    .channel("room_1")
    .query<{ pk: number }>(storeLongest, [longest, messageCount]);
  await indexAll(indexing.db);
  expect(await countSigned()).toBeGreaterThanOrEqual(messageCount / perBlock);

  // So many that a step cannot read all of their blocks.
  const edited = stored
    .filter((_, index) => index % perBlock === 0)
    .map(({ pk }, index) => [pk, index * perBlock + 1]);
  for (const [pk, createdAt] of edited)
    await chat.messages.update("room_1", `${createdAt}-${pk}`, { content: "needle" });
  await indexAll(indexing.db);
  const found = await chat.messages.search("room_1", { q: "needle" }).toArray();
  expect(found.map(({ created_at }) => created_at)).toEqual(
    edited.map(([, createdAt]) => createdAt).reverse(),
  );
  // No block is read without its signature.
  expect(await chat.messages.search("room_1", { q: "absent" }).firstPage()).toMatchObject({ items: [] });
  expect(await countUnsigned()).toBe(0);
});

test.each([
  ["500 long messages", 500, "text ".repeat(120)],
  ["1,100 short messages", 1_100, "short"],
])("an import with the time of %s is indexed in a bounded number of steps", async (_, number, text) => {
  const chat = chatWith(server);
  const [time, channel_id] = [1_600_000_000_000, `room_of_${number}`];
  await chat.users.create({ user_id: `user_${number}`, name: "Kim" });
  await chat.channels.create({ channel_id, name: "Room", members: [] });
  await chat.messages.send(channel_id, { type: "system", content: "Later than the imported ones" });
  const imported = (index: number) => ({
    external_id: `${index}`,
    user_id: `user_${number}`,
    type: "text" as const,
    content: `${index === number ? "needle" : index} ${text}`,
    created_at: time,
  });
  const all = Array.from({ length: number }, (_, index) => imported(index));
  for (let first = 0; first < number; first += 500)
    await chat.imports.messages(channel_id, all.slice(first, first + 500));
  await indexAll(indexing.db);
  await chat.imports.messages(channel_id, [imported(number)]);
  while ((await numberEvents(indexing.db, { waitsForLock: true })).isOvertaken);
  const step = createIndexer(indexing.db);
  let steps = 0;
  while ((await step()) === true && steps < 100) steps += 1;
  expect(steps).toBeLessThan(100);
  expect(await countUnsigned()).toBe(0);
  expect((await chat.messages.search(channel_id, { q: "needle" }).toArray()).length).toBe(1);
  expect((await chat.messages.search(channel_id, { q: "short" }).toArray({ max: 2_000 })).length).toBe(
    text === "short" ? number + 1 : 0,
  );
});

const count = async (condition: string) => {
  const [row] = await server.db.channel("room_1").query<{ count: number }>({
    name: `test.count ${condition}`,
    text: `SELECT count(*) FROM search_blocks WHERE signature IS ${condition}`,
  });
  return row?.count ?? 0;
};
const countSigned = () => count("NOT NULL");
const countUnsigned = () => count("NULL");
