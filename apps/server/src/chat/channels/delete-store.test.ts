import { limits } from "@madang/contract";
import { afterAll, expect, test } from "vitest";
import { createDatabase, openDatabase } from "../../../test/support/database";
import { sweepDeletedChannels } from "./delete-store";

const database = await createDatabase();
const db = await openDatabase(database.url);
afterAll(async () => {
  await db.close();
  await database.drop();
});

test("a step of the removal of a channel deletes no more than 40 MB of the longest messages, for which a statement has the time", async () => {
  const run = (name: string, text: string) =>
    db.channel("room_1").query<{ count: number }>({ name: `test.${name}`, text });
  await run(
    "channel",
    `INSERT INTO channels (channel_id, name, created_at, updated_at, deleted_at) VALUES ('room_1', 'Room', 1, 1, 1)`,
  );
  await run(
    "messages",
    `INSERT INTO messages (channel_pk, created_at, updated_at, type, content)
    SELECT pk, i, i, 'system', 'Hi' FROM channels, generate_series(1, 1000) AS i`,
  );
  const count = async () => (await run("count", "SELECT count(*) FROM messages"))[0]?.count ?? 0;
  const longest = limits.content.maxLength + limits.parts.maxBytes;
  for (let left = await count(); left > 0; left = await count()) {
    expect(await sweepDeletedChannels(db, async () => undefined)).toBe(true);
    const removed = left - (await count());
    expect(removed).toBeGreaterThan(0);
    expect(removed * longest).toBeLessThan(40e6);
  }
});
