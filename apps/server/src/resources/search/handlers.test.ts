import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { chatWith } from "../../../test/support/chat";
import { startServer } from "../../../test/support/server";
import { createIndexer } from "./indexer";

const server = await startServer();
afterAll(() => server.close());

test("a process runs two searches at once, whatever they search", async () => {
  const chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  const paths = ["one", "two", "three"].flatMap((term) => [
    `/v1/group/channels/room_1/messages/search?q=${term}`,
    `/v1/users/kim_01/messages/search?q=${term}`,
  ]);
  const requests = await server.db.transaction(async (tx) => {
    await tx.query({ name: "test.lock", text: "LOCK TABLE messages IN ACCESS EXCLUSIVE MODE" });
    const sent = paths.map((path) => call(server.url, "GET", path));
    await expect.poll(countWaiting).toBe(2);
    await setTimeout(200);
    expect(await countWaiting()).toBe(2);
    return { sent };
  });
  for (const { status } of await Promise.all(requests.sent)) expect(status).toBe(200);
});

test("a channel and its participants can be searched when a block has only messages without a character to search for", async () => {
  const chat = chatWith(server);
  await chat.users.create({ user_id: "park_03", name: "Park" });
  await chat.channels.create({ channel_id: "room_2", name: "Blank", members: ["park_03"] });
  const blank = Array.from({ length: 40 }, (_, index) => ({
    type: "system" as const,
    content: " ",
    created_at: index + 1,
  }));
  await chat.imports.messages("room_2", blank);
  await chat.imports.messages("room_2", [
    { user_id: "park_03", type: "text", content: "abc", created_at: 100 },
  ]);
  const index = createIndexer(server.db, () => Date.now() + 1_000, 0);
  while (await index());
  const pages = await Promise.all([
    chat.messages.search("room_2", { q: "abc" }).firstPage(),
    chat.users.searchMessages("park_03", { q: "abc" }).firstPage(),
  ]);
  for (const { items } of pages) expect(items).toMatchObject([{ content: "abc" }]);
});

async function countWaiting(): Promise<number | undefined> {
  const [row] = await server.db.query<{ count: number }>({
    name: "test.count-waiting",
    text: `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  });
  return row?.count;
}
