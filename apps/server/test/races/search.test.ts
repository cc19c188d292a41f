import { afterAll, beforeEach, expect, test } from "vitest";
import { signBlocks } from "../../src/modules/search/signature";
import { chatWith } from "../support/chat";
import { indexAll } from "../support/index-all";
import { startServer, type TestServer } from "../support/server";
import { withWorkAfter } from "../support/work-after";

const spacing = 10_000;
/** The time of the message that is deleted. */
const erasedAt = 7 * spacing;

let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeEach(async () => {
  await server?.close();
  server = await startServer();
  chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  await chat.imports.messages(
    "room_1",
    // More than one block.
    Array.from({ length: 40 }, (_, index) => ({
      user_id: "kim_01",
      type: "text",
      content: (index + 1) * spacing === erasedAt ? "secret" : `text ${index}`,
      created_at: spacing * (index + 1),
    })),
  );
});
afterAll(() => server.close());

const query = <Row>(text: string) =>
  server.db.channel("room_1").query<Row>({ name: text.slice(0, 63), text });

/** Indexes all messages. Does the work after the first run of the statement with the name. */
async function indexWith(name: string, work: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  const whenDone = () => {
    isDone = true;
  };
  await indexAll(withWorkAfter(name, server.db, () => work().then(whenDone)));
  expect(isDone).toBe(true);
  await indexAll(server.db);
}

/** The id of the message with this time. */
async function idOf(createdAt: number): Promise<string> {
  const [row] = await query<{ pk: number }>(`SELECT pk FROM messages WHERE created_at = ${createdAt}`);
  return `${createdAt}-${row?.pk}`;
}

/** Each signature is that of the messages that its block has now. */
async function expectNoTraces(): Promise<void> {
  const blocks = await query<{ signature: string; at: number }>(
    "SELECT encode(signature, 'hex') AS signature, last_created_at AS at FROM search_blocks ORDER BY at",
  );
  expect(blocks).not.toEqual([]);
  const messages = await query<{ text: string; senderPk: number; createdAt: number; pk: number }>(
    'SELECT content AS text, sender_pk AS "senderPk", created_at AS "createdAt", pk FROM messages ORDER BY created_at, pk',
  );
  const expected: (string | undefined)[] = [];
  for (const [index, { at }] of blocks.entries()) {
    const from = blocks[index - 1]?.at ?? 0;
    const [block] = await signBlocks(messages.filter(({ createdAt }) => createdAt > from && createdAt <= at));
    expected.push(block?.signature.toString("hex"));
  }
  expect(blocks.map(({ signature }) => signature)).toEqual(expected);
}

test("the signature of a message that was deleted while the indexer signed its first block does not stay", async () => {
  const id = await idOf(erasedAt);
  await indexWith("search-index.read-messages", () => chat.messages.delete("room_1", id));
  await expectNoTraces();
});

test("the signature of a message that was deleted while the indexer replaced its block does not stay", async () => {
  await indexAll(server.db);
  const [changed, id] = [await idOf(5 * spacing), await idOf(erasedAt)];
  await chat.messages.update("room_1", changed, { content: "changed" });
  await indexWith("search-index.remove-blocks", () => chat.messages.delete("room_1", id));
  await expectNoTraces();
});

// With 992, the block has as many messages as a step reads: 1,024.
test.each([100, 992, 1_100])(
  "the signature of a message that was deleted while the indexer divided its block does not stay (%i imported)",
  async (imported) => {
    await indexAll(server.db);
    const id = await idOf(erasedAt);
    const old = { user_id: "kim_01", type: "text" as const, content: "imported" };
    const imports = Array.from({ length: imported }, (_, index) => ({
      ...old,
      created_at: 2 * erasedAt + index,
    }));
    for (let from = 0; from < imported; from += 500)
      await chat.imports.messages("room_1", imports.slice(from, from + 500));
    await indexWith("search-index.read-messages", () => chat.messages.delete("room_1", id));
    await expectNoTraces();
  },
);
