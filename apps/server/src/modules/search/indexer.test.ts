import { afterAll, expect, test } from "vitest";
import { chatWith } from "../../../test/support/chat";
import { indexAll } from "../../../test/support/index-all";
import { startServer, startServerOn } from "../../../test/support/server";

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

const count = async (condition: string) => {
  const [row] = await server.db.channel("room_1").query<{ count: number }>({
    name: `test.count ${condition}`,
    text: `SELECT count(*) FROM search_blocks WHERE signature IS ${condition}`,
  });
  return row?.count ?? 0;
};
const countSigned = () => count("NOT NULL");
const countUnsigned = () => count("NULL");
