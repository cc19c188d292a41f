import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { fold } from "../../src/chat/names/fold";
import { chatWith } from "../support/chat";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startServerOn } from "../support/server";
import { startProcess } from "./process";

const database = await createDatabase();
afterAll(database.drop);

const channels = ["room_1", "room_2", "room_3"];
const words = ["학교에서", "noon", "日本語", "Straße", "ＡＢＣ", "😀", "내일", "papers"];
const textOf = (index: number) =>
  [words[index % 8], words[(index * 5) % 7], `n${index % 97}`, words[(index >> 3) % 8]].join(" ");

test("kill -9 of the server while it indexes leaves searches exact, and the next one continues", async () => {
  const perChannel = scale(3_000, 20_000);
  const first = await startServerOn(database.url);
  const chat = chatWith(first);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  for (const channel_id of channels) {
    await chat.channels.create({ channel_id, name: "Room", members: ["kim_01"] });
    for (let from = 0; from < perChannel; from += 500)
      await chat.imports.messages(
        channel_id,
        Array.from({ length: 500 }, (_, index) => ({
          user_id: "kim_01",
          type: "text" as const,
          content: textOf(from + index),
          created_at: 1_700_000_000_000 + from + index,
        })),
      );
  }
  const queries = [...words, "n42", "noon n7", "교에", "zzz"];
  const compare = async () => {
    for (const q of queries) {
      const expected = Array.from({ length: perChannel }, (_, index) => textOf(index)).filter((text) =>
        fold(q)
          .split(" ")
          .every((term) => fold(text).includes(term)),
      );
      const found = [];
      for await (const message of chat.messages.search("room_2", { q, pageSize: 100 }))
        found.push(message.type === "text" ? message.content : "");
      expect(found).toEqual(expected.toReversed());
    }
  };

  const db = await openDatabase(database.url);
  const count = async (text: string) => {
    const schemas = db.schemas().map((schema) => schema.query<{ count: number }>({ name: text, text }));
    return (await Promise.all(schemas)).flat().reduce((sum, { count }) => sum + count, 0);
  };
  const countBlocks = () => count("SELECT count(*) AS count FROM search_blocks");
  // The messages are older than the channels: every full block can be signed.
  const expected = channels.length * Math.floor(perChannel / 32);
  const kills = scale(3, 20);
  let blocks = 0;
  for (let round = 0; round <= kills; round++) {
    const server = await startProcess(database.url);
    const isLast = round === kills;
    while (blocks < expected && (isLast || (await countBlocks()) === blocks)) {
      server.requireAlive();
      if (isLast) blocks = await countBlocks();
      await sleep(5);
    }
    if (!isLast) await sleep(Math.random() * 20);
    await server.end("SIGKILL");
    const after = await countBlocks();
    expect(after).toBeGreaterThanOrEqual(blocks);
    expect(after).toBeLessThanOrEqual(expected);
    blocks = after;
  }
  await compare();
  await report({
    fault: "kill -9 of the server while it indexes",
    load: `${channels.length * perChannel} messages, ${kills} kills`,
    sent: queries.length,
    acknowledged: queries.length,
  });
  await db.close();
  await first.close();
});
