import { setTimeout } from "node:timers/promises";
import { ServerError } from "@madang/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPosition } from "../../src/chat/message-id";
import { fold } from "../../src/chat/names/fold";
import type { Statement } from "../../src/db/db";
import { numberEvents } from "../../src/modules/events/numbering/number-store";
import { createIndexer } from "../../src/modules/search/indexer";
import { oldest, positionsDescending } from "../../src/paging/position";
import { chatWith } from "../support/chat";
import { finishErasures } from "../support/erasures";
import { indexAll } from "../support/index-all";
import { report, scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";
import { sweepDeletedChannels } from "../support/sweep";

let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  // Checking every page of the searches would take most of the time; other tests check it.
  server = await startServer({ settings: { MADANG_VALIDATE_RESPONSES: "off" } });
  chat = chatWith(server);
  for (const user_id of ["kim_01", "park_03", "gone"]) await chat.users.create({ user_id, name: user_id });
  for (const channel_id of channels)
    await chat.channels.create({ channel_id, name: "Search", members: ["kim_01", "park_03"] });
});
afterAll(() => server.close());

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
  "ㅎㅠㅠ",
  "고마워ㄳ",
  "İstanbul",
  "soft\u00adhyphen",
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

/** A message as the export has it, which reads all of them. `normalized` is its content, or the name of its file. */
interface Stored {
  readonly id: string;
  readonly channel: string;
  readonly isFile: boolean;
  readonly normalized: string;
}

const at = { from: 1_700_000_000_000, count: 0 };

/** Sends messages and imports every fourth one, in the middle of those that were imported before. Every fifth is a file. */
async function addMessages(channelIds: readonly string[], texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const channel = channelIds[index % channelIds.length] ?? "";
    if (index % 4 === 0) await importMessage(channel, text);
    else if (index % 5 === 0) {
      const file = { type: "image/png", name: text, url: "https://example.com/menu.png", size: 48_213 };
      await chat.messages.send(channel, { user_id: "kim_01", type: "file", file });
    } else await chat.messages.send(channel, { user_id: "kim_01", type: "text", content: text });
  }
}

async function importMessage(channel: string, content: string): Promise<void> {
  at.count += 1;
  const created_at = at.from + ((at.count * 7_919) % 100_003);
  const external_id = String(at.count);
  await chat.imports.messages(channel, [
    { user_id: "kim_01", type: "text", content, external_id, created_at },
  ]);
}

/** Edits some messages and deletes others. */
async function changeMessages(channelIds: readonly string[], texts: readonly string[]): Promise<void> {
  for (const [index, { id, channel, isFile }] of (await readEverything(channelIds)).entries()) {
    if (index % 7 === 0 && !isFile)
      await chat.messages.update(channel, id, { content: texts[index % texts.length] ?? "" });
    if (index % 11 === 1) await chat.messages.delete(channel, id);
  }
}

async function readEverything(channelIds: readonly string[]): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const channel of channelIds)
    for await (const message of chat.exports.messages(channel))
      stored.push({
        id: message.message_id,
        channel,
        isFile: message.type === "file",
        normalized: normalize(message.type === "file" ? message.file.name : message.content),
      });
  return stored.sort((one, other) => positionsDescending(positionOf(one), positionOf(other)));
}

const positionOf = ({ id }: Stored) => findPosition(id) ?? oldest;

/** Newest first, as the messages are. */
function filterMatching(stored: readonly Stored[], query: string): string[] {
  const terms = query.split(/\p{White_Space}+/u).filter((term) => term !== "");
  const normalized = terms.map(normalize).filter((term) => term !== "");
  return stored
    .filter((message) => normalized.every((term) => message.normalized.includes(term)))
    .map(({ id }) => id);
}

const normalize = (text: string) => fold(text).replaceAll(/\p{White_Space}+/gu, " ");

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
    .filter((text) => fold(text).trim() !== "" && text.split(/\p{White_Space}+/u).length <= 8);
}

/** Most pages are large, so that many queries fit in the time. */
const pageSizes = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 30, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 29 }) },
);
const sampleTexts = (count: number, seed: number) => fc.sample(content, { numRuns: count, seed });

/** The searches, each with the channels whose messages it finds. */
const searches = [
  { of: ["room_1"], find: (options: Query) => chat.messages.search("room_1", options) },
  {
    of: ["room_1"],
    find: (options: Query) => chat.messages.search("room_1", { ...options, user_id: "kim_01" }),
  },
  { of: channels, find: (options: Query) => chat.users.searchMessages("kim_01", options) },
  { of: channels, find: (options: Query) => chat.messages.searchAll(options) },
  { of: channels, find: (options: Query) => chat.messages.searchAll({ ...options, user_id: "kim_01" }) },
];
interface Query {
  readonly q: string;
  readonly pageSize: number;
}

/** Requests may wait too long for those before them, when the machine does other work. */
function ignoreBusy(error: unknown): undefined {
  if (!(error instanceof ServerError) || error.status !== 503) throw error;
}

const reportSearches = (fault: string, load: string, count: number) =>
  report({
    fault,
    load,
    sent: count,
    acknowledged: count,
  });

test("a search finds exactly what reading every message finds, whatever is indexed", async () => {
  const count = scale(120, 400);
  const runs = scale(30, 2_000);
  const compare = async (texts: readonly string[]) => {
    const stored = await readEverything(channels);
    expect(await idsOf(chat.users.messages("kim_01"))).toEqual(stored.map(({ id }) => id));
    await fc.assert(
      fc.asyncProperty(
        queriesFrom(texts),
        pageSizes,
        fc.constantFrom(...searches),
        async (q, pageSize, search) => {
          const readable = stored.filter(({ channel }) => search.of.includes(channel));
          expect(await idsOf(search.find({ q, pageSize }))).toEqual(filterMatching(readable, q));
        },
      ),
      { numRuns: runs },
    );
  };
  const early = sampleTexts(count, 7);
  await addMessages(channels, early);
  await compare(early);
  await indexAll(server.db);
  await compare(early);
  const late = sampleTexts(count, 8);
  await addMessages(channels, late);
  await changeMessages(channels, late);
  await compare([...early, ...late]);
  await indexAll(server.db);
  expect(await countRows("search_blocks")).toBeGreaterThan(channels.length);
  await compare([...early, ...late]);
  await reportSearches(
    "searches for random substrings, compared with reading every message",
    `${2 * count} messages`,
    4 * runs,
  );
});

test("while 16 writers send, edit, delete and import, and the indexer works, searches stay exact and pages repeat and skip nothing", async () => {
  await chat.channels.create({ channel_id: "busy", name: "Busy", members: ["kim_01"] });
  const texts = sampleTexts(scale(100, 400), 9);
  await addMessages(["busy"], texts);
  const all = await readEverything(["busy"]);
  const stable = all.filter((_, index) => index % 3 > 0);
  const changing = all.filter(({ isFile }, index) => index % 3 === 0 && !isFile);
  const runs = scale(5, 2_000);
  // The long form leaves the searches enough of the machine to make many.
  const pauseMs = scale(0, 100);
  let isSearching = true;
  let writes = 0;
  const textAt = (index: number) => texts[index % texts.length] ?? "";
  /** Deletes as many as it sends, so that searches do not become longer. */
  const write = async (writer: number) => {
    const own = changing.filter((_, index) => index % 16 === writer).map(({ id }) => id);
    const change = async (index: number) => {
      const sent = { user_id: "kim_01", type: "text", content: textAt(index) } as const;
      if (index % 20 === 0) await importMessage("busy", textAt(index));
      own.push((await chat.messages.send("busy", sent)).message_id);
      await chat.messages.update("busy", own[index % own.length] ?? "", { content: textAt(index + 1) });
      for (const id of own.splice((index * 5) % own.length, 1)) await chat.messages.delete("busy", id);
      writes += 3;
      await setTimeout(pauseMs);
    };
    for (let index = writer * 31; isSearching; index += 7) await change(index).catch(ignoreBusy);
  };
  const step = createIndexer(server.db);
  const index = async () => {
    while (isSearching) {
      await numberEvents(server.db, { waitsForLock: false });
      await step();
      await setTimeout(pauseMs);
    }
  };
  const kept = new Set(stable.map(({ id }) => id));
  const search = async (searcher: number) => {
    const queries = fc.sample(fc.tuple(queriesFrom(texts), pageSizes), { numRuns: runs, seed: searcher });
    for (const [index, [q, pageSize]] of queries.entries()) {
      const find =
        index % 2 === 0
          ? chat.messages.search.bind(chat.messages, "busy")
          : chat.users.searchMessages.bind(chat.users, "kim_01");
      let seen: string[] | undefined;
      while (seen === undefined) seen = await idsOf(find({ q, pageSize })).catch(ignoreBusy);
      expect(seen.filter((id) => kept.has(id))).toEqual(filterMatching(stable, q));
      expect(new Set(seen).size).toBe(seen.length);
    }
  };
  const searching = Promise.all([0, 1, 2, 3].map(search)).finally(() => {
    isSearching = false;
  });
  await Promise.all([searching, index(), ...Array.from({ length: 16 }, (_, writer) => write(writer))]);
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
  await indexAll(server.db);
  await compare(scale(8, 500));
  await reportSearches(
    `searches in pages under ${writes.toLocaleString("en-US")} sends, edits and deletions`,
    "16 writers",
    4 * runs,
  );
});

test("a message is found by its new text only, whether its block is signed or not", async () => {
  await chat.channels.create({ channel_id: "edited", name: "Edited", members: ["kim_01"] });
  await addMessages(
    ["edited"],
    Array.from({ length: 80 }, () => "quiet"),
  );
  await indexAll(server.db);
  const stored = await readEverything(["edited"]);
  // The newest one, after the last block, and one of a block.
  const edited = [stored[0]?.id ?? "", stored[60]?.id ?? ""];
  for (const id of edited) await chat.messages.update("edited", id, { content: "needle" });
  const find = (q: string) => idsOf(chat.messages.search("edited", { q }));
  for (const _ of ["changed", "indexed"]) {
    expect(await find("needle")).toEqual(edited);
    expect(await find("quiet")).toHaveLength(78);
    await indexAll(server.db);
  }
});

test.each([
  [
    "deleted",
    (channel: string, ids: readonly string[]) =>
      Promise.all(ids.map((id) => chat.messages.delete(channel, id))),
  ],
  [
    "erased with its sender",
    async () => {
      await chat.privacy.erase({ user_id: "gone", messages: "erase" });
      await finishErasures(server.db);
    },
  ],
] as const)("what was %s is never found, and its blocks are signed again", async (how, erase) => {
  const channel = `erased_${how.length}`;
  await chat.channels.create({ channel_id: channel, name: "Erased", members: ["kim_01", "gone"] });
  const ids: string[] = [];
  for (let index = 0; index < 100; index++) {
    const user_id = index >= 30 && index < 70 ? "gone" : "kim_01";
    ids.push(
      (await chat.messages.send(channel, { user_id, type: "text", content: `secret ${index}` })).message_id,
    );
  }
  await indexAll(server.db);
  await erase(channel, ids.slice(30, 70));
  const rest = [...ids.slice(0, 30), ...ids.slice(70)].reverse();
  const signatures = () =>
    server.db.channel(channel).query<{ signature: string }>({
      name: `test.signatures ${how}`,
      text: `SELECT encode(signature, 'hex') AS signature FROM search_blocks b JOIN channels c ON c.pk = channel_pk
          WHERE channel_id = '${channel}'`,
    });
  const before = (await signatures()).map(({ signature }) => signature);
  expect(await idsOf(chat.messages.search(channel, { q: "secret" }))).toEqual(rest);
  await indexAll(server.db);
  const after = (await signatures()).map(({ signature }) => signature);
  // Each had erased messages, and one of them had no others.
  expect(before).toHaveLength(3);
  expect(after).toHaveLength(2);
  expect(after.filter((signature) => before.includes(signature))).toEqual([]);
  expect(await idsOf(chat.messages.search(channel, { q: "secret" }))).toEqual(rest);
});

test("imported history is indexed as soon as the index follows", async () => {
  await chat.channels.create({ channel_id: "history", name: "History", members: ["kim_01"] });
  await indexAll(server.db);
  const blocks = await countRows("search_blocks");
  const old = { user_id: "kim_01", type: "text" as const, content: "old" };
  await chat.imports.messages(
    "history",
    Array.from({ length: 100 }, (_, index) => ({ ...old, created_at: 1_000 + index })),
  );
  await indexAll(server.db);
  expect(await countRows("search_blocks")).toBe(blocks + 3);
});

test("a deleted channel leaves nothing in the index", async () => {
  const blocks = await countRows("search_blocks");
  await chat.channels.create({ channel_id: "gone", name: "Gone", members: ["kim_01"] });
  await addMessages(
    ["gone"],
    Array.from({ length: 80 }, () => "text"),
  );
  await indexAll(server.db);
  expect(await countRows("search_blocks")).toBeGreaterThan(blocks);
  await chat.channels.delete("gone");
  while (await sweepDeletedChannels(server.db));
  expect(await countRows("search_blocks")).toBe(blocks);
});

const countRows = (table: string) => count(`SELECT count(*) AS count FROM ${table}`);

async function count(text: string): Promise<number> {
  const statement: Statement<{ count: number }> = { name: text.slice(-60), text };
  const rows = await Promise.all(server.db.schemas().map((schema) => schema.query(statement)));
  return rows.flat().reduce((sum, { count }) => sum + count, 0);
}
