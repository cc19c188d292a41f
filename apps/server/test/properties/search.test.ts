import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Statement } from "../../src/db/statement";
import { oldest, positionsDescending } from "../../src/paging/position";
import { sweepDeletedChannels } from "../../src/resources/channels/delete-store";
import { findPosition } from "../../src/resources/messages/message-id";
import { createIndexer } from "../../src/resources/search/indexer";
import { fold } from "../../src/resources/search/match";
import { chatWith } from "../support/chat";
import { report, scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";

let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer();
  chat = chatWith(server);
  for (const user_id of ["kim_01", "park_03"]) await chat.users.create({ user_id, name: user_id });
  for (const channel_id of channels)
    await chat.channels.create({ channel_id, name: "Search", members: ["kim_01", "park_03"] });
});
afterAll(() => server.close());

/** Messages need no time to settle: there is one server, and it has committed them. */
const createEagerIndexer = () => createIndexer(server.db, () => Date.now() + 1_000, 0);

const channels = ["room_1", "room_2", "room_3"];

const words = [
  "학교에서",
  "한국어",
  "만나요",
  "내일",
  "日本語",
  "ガギグ",
  "ｶﾞ",
  "Straße",
  "STRASSE",
  "noon",
  "Noon",
  "ＡＢＣ",
  "é",
  "e\u0301",
  "😀",
  "👨‍👩‍👧",
  "100%",
  "a_b",
  "it's",
  "ΟΔΟΣ",
  // Folding makes white space of a part of these.
  "゛",
  "ﷺ",
  "الله عليه",
  " ",
  "　",
  "\n ",
];
const content = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""))
  .filter((text) => text.trim() !== "");

/** A message as the export has it, which reads all of them. */
interface Stored {
  readonly id: string;
  readonly channel: string;
  readonly text: string;
}

const at = { from: 1_700_000_000_000, count: 0 };

/** Sends messages and imports every fourth one, in the middle of those that were imported before. */
async function addMessages(channelIds: readonly string[], texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const channel = channelIds[index % channelIds.length] ?? "";
    const message = { user_id: "kim_01", type: "text", content: text } as const;
    at.count += 1;
    const created_at = at.from + ((at.count * 7_919) % 100_003);
    if (index % 4 === 0)
      await chat.imports.messages(channel, [{ ...message, external_id: String(at.count), created_at }]);
    else await chat.messages.send(channel, message);
  }
}

/** Edits some messages and deletes others. */
async function changeMessages(channelIds: readonly string[], texts: readonly string[]): Promise<void> {
  for (const [index, { id, channel }] of (await readEverything(channelIds)).entries()) {
    if (index % 7 === 0)
      await chat.messages.update(channel, id, { content: texts[index % texts.length] ?? "" });
    if (index % 11 === 1) await chat.messages.delete(channel, id);
  }
}

async function readEverything(channelIds: readonly string[]): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const channel of channelIds)
    for await (const message of chat.exports.messages(channel))
      if (message.type === "text") stored.push({ id: message.message_id, channel, text: message.content });
  return stored.sort((one, other) => positionsDescending(positionOf(one), positionOf(other)));
}

const positionOf = ({ id }: Stored) => findPosition(id) ?? oldest;

/** Newest first, as the messages are. */
function filterMatching(stored: readonly Stored[], query: string): string[] {
  const normalize = (text: string) => fold(text).replaceAll(/\p{White_Space}+/gu, " ");
  const terms = query.split(/\p{White_Space}+/u).filter((term) => term !== "");
  return stored
    .filter(({ text }) => terms.every((term) => normalize(text).includes(normalize(term))))
    .map(({ id }) => id);
}

async function idsOf(pager: AsyncIterable<{ message_id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { message_id } of pager) ids.push(message_id);
  return ids;
}

/** Substrings of the texts, of one to eight characters, or words; one or two of them. */
function queriesFrom(texts: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 8 })).map(([which, start, length]) => {
    const characters = [...(texts[which % texts.length] ?? "")];
    const from = start % characters.length;
    return characters.slice(from, from + length).join("");
  });
  return fc
    .array(fc.oneof(piece, fc.constantFrom(...words)), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.join(" "))
    .filter((text) => text.trim() !== "" && text.split(/\p{White_Space}+/u).length <= 8);
}

const pageSizes = fc.integer({ min: 1, max: 40 });
const sampleTexts = (count: number, seed: number) => fc.sample(content, { numRuns: count, seed });

test("a search finds exactly what reading every message finds, whatever is indexed", async () => {
  const count = scale(120, 2_000);
  const runs = scale(8, 1_700);
  const compare = async (texts: readonly string[]) => {
    const stored = await readEverything(channels);
    const inRoom = stored.filter(({ channel }) => channel === "room_1");
    await fc.assert(
      fc.asyncProperty(queriesFrom(texts), pageSizes, async (q, pageSize) => {
        const [ofChannel, ofUser, ofAll, ofSender, ofSenderInAll, written] = await Promise.all([
          idsOf(chat.messages.search("room_1", { q, pageSize })),
          idsOf(chat.users.searchMessages("kim_01", { q, pageSize })),
          idsOf(chat.messages.searchAll({ q, pageSize })),
          idsOf(chat.messages.search("room_1", { q, user_id: "kim_01", pageSize })),
          idsOf(chat.messages.searchAll({ q, user_id: "kim_01", pageSize })),
          idsOf(chat.users.messages("kim_01", { pageSize })),
        ]);
        expect(ofChannel).toEqual(filterMatching(inRoom, q));
        expect(ofSender).toEqual(ofChannel);
        expect(ofUser).toEqual(filterMatching(stored, q));
        expect(ofAll).toEqual(ofUser);
        expect(ofSenderInAll).toEqual(ofAll);
        expect(written).toEqual(stored.map(({ id }) => id));
      }),
      { numRuns: runs },
    );
  };
  const step = createEagerIndexer();
  const early = sampleTexts(count, 7);
  await addMessages(channels, early);
  await compare(early);
  while (await step());
  await compare(early);
  const late = sampleTexts(count, 8);
  await addMessages(channels, late);
  await changeMessages(channels, late);
  await compare([...early, ...late]);
  while (await step());
  expect(await countRows("search_changes")).toBe(0);
  expect(await countRows("search_blocks")).toBeGreaterThan(channels.length);
  await compare([...early, ...late]);
  await report({
    fault: "random terms, compared with reading every message",
    load: `${2 * count} messages`,
    sent: 16 * runs,
    acknowledged: 16 * runs,
    lost: 0,
    duplicated: 0,
    wrong: 0,
    maxOutageMs: undefined,
  });
});

test("while 16 writers send, edit, delete and import, and the indexer works, searches stay exact and pages repeat and skip nothing", async () => {
  await chat.channels.create({ channel_id: "busy", name: "Busy", members: ["kim_01"] });
  const texts = sampleTexts(scale(100, 1_200), 9);
  await addMessages(["busy"], texts);
  const all = await readEverything(["busy"]);
  const stable = all.filter((_, index) => index % 3 > 0);
  const changing = all.filter((_, index) => index % 3 === 0);
  let isWriting = true;
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (const [index, { id }] of changing.entries()) {
      if (index % 16 !== writer) continue;
      const text = texts[(index * 31) % texts.length] ?? "";
      await chat.messages.update("busy", id, { content: text });
      await addMessages(["busy"], [text, text]);
      if (index % 2 === 0) await chat.messages.delete("busy", id);
    }
  });
  const step = createEagerIndexer();
  const indexing = (async () => {
    while (isWriting) await step();
  })();
  const kept = new Set(stable.map(({ id }) => id));
  const searches = Array.from({ length: 4 }, async (_, searcher) => {
    const queries = fc.sample(fc.tuple(queriesFrom(texts), pageSizes), { seed: searcher });
    for (let index = 0; isWriting; index += 1) {
      const [q, pageSize] = queries[index % queries.length] ?? ["noon", 7];
      const seen = await idsOf(chat.messages.search("busy", { q, pageSize }));
      expect(seen.filter((id) => kept.has(id))).toEqual(filterMatching(stable, q));
      expect(new Set(seen).size).toBe(seen.length);
    }
  });
  await Promise.all(writers).finally(() => {
    isWriting = false;
  });
  await Promise.all([indexing, ...searches]);
  const compare = async (numRuns: number) => {
    const stored = await readEverything(["busy"]);
    await fc.assert(
      fc.asyncProperty(queriesFrom(texts), pageSizes, async (q, pageSize) => {
        const found = await idsOf(chat.messages.search("busy", { q, pageSize }));
        expect(found).toEqual(filterMatching(stored, q));
      }),
      { numRuns },
    );
  };
  await compare(scale(8, 500));
  while (await step());
  await compare(scale(8, 500));
});

test("a message of a page that was read is found by its new text only", async () => {
  await chat.channels.create({ channel_id: "edited", name: "Edited", members: ["kim_01"] });
  await addMessages(
    ["edited"],
    Array.from({ length: 80 }, () => "quiet"),
  );
  const step = createEagerIndexer();
  while (await step());
  const [first] = await readEverything(["edited"]);
  await chat.messages.update("edited", first?.id ?? "", { content: "needle" });
  const find = (q: string) => idsOf(chat.messages.search("edited", { q }));
  for (const _ of ["changed", "indexed"]) {
    expect(await find("needle")).toEqual([first?.id]);
    expect(await find("quiet")).toHaveLength(79);
    while (await step());
  }
});

test("what was erased is in no signature; searches read its block until the indexer has signed the rest", async () => {
  await chat.channels.create({ channel_id: "erased", name: "Erased", members: ["kim_01"] });
  await addMessages(
    ["erased"],
    Array.from({ length: 100 }, (_, index) => `secret ${index}`),
  );
  const step = createEagerIndexer();
  while (await step());
  const stored = await readEverything(["erased"]);
  for (const { id } of stored.slice(30, 70)) await chat.messages.delete("erased", id);
  const rest = [...stored.slice(0, 30), ...stored.slice(70)].map(({ id }) => id);
  const unsigned = "SELECT count(*) AS count FROM {search_blocks} WHERE signature IS NULL";
  expect(await count(unsigned)).toBeGreaterThan(0);
  expect(await idsOf(chat.messages.search("erased", { q: "secret" }))).toEqual(rest);
  while (await step());
  expect(await count(unsigned)).toBe(0);
  expect(await idsOf(chat.messages.search("erased", { q: "secret" }))).toEqual(rest);
});

test("a deleted channel leaves nothing in the index", async () => {
  const blocks = await countRows("search_blocks");
  await chat.channels.create({ channel_id: "gone", name: "Gone", members: ["kim_01"] });
  await addMessages(
    ["gone"],
    Array.from({ length: 80 }, () => "text"),
  );
  const step = createEagerIndexer();
  while (await step());
  expect(await countRows("search_blocks")).toBeGreaterThan(blocks);
  await chat.channels.delete("gone");
  while (await sweepDeletedChannels(server.db));
  expect(await countRows("search_blocks")).toBe(blocks);
});

const countRows = (table: string) => count(`SELECT count(*) AS count FROM {${table}}`);

async function count(text: string): Promise<number> {
  const statement: Statement<{ count: number }> = { name: text.slice(-60), text };
  const rows = await Promise.all(server.db.shards().map((shard) => shard.query(statement)));
  return rows.flat().reduce((sum, { count }) => sum + count, 0);
}
