import { expect, test } from "vitest";
import { sweepDueMessages } from "../../src/resources/retention/sweep-store";
import { chatWith } from "../support/chat";
import { startServer } from "../support/server";

test.each([undefined, "30"])(
  "what is due is hidden at once and erased once; a hold shows and keeps it (MADANG_RETENTION_DAYS: %s)",
  async (setting) => {
    const server = await startServer(
      setting === undefined ? {} : { settings: { MADANG_RETENTION_DAYS: setting } },
    );
    const chat = chatWith(server);
    for (const user_id of ["kim_01", "lee_02"]) await chat.users.create({ user_id, name: "U" });
    await chat.channels.create({ channel_id: "room_1", name: "R", members: ["kim_01", "lee_02"] });
    const at = Date.now() - 40 * 86_400_000;
    // Joined before the messages.
    await server.db.query({ name: "test.joined", text: "UPDATE members SET joined_at = 0 RETURNING 1" });
    const text = { user_id: "kim_01", type: "text" as const };
    await chat.imports.messages(
      "room_1",
      Array.from({ length: 300 }, (_, i) => ({ ...text, content: `old ${i}`, created_at: at + i })),
    );
    const look = async () => ({
      list: (await chat.messages.list("room_1").toArray({ max: 1000 })).length,
      exported: (await chat.exports.messages("room_1").toArray({ max: 1000 })).length,
      found: (await chat.messages.search("room_1", { q: "old" }).toArray({ max: 1000 })).length,
      unread: (await chat.users.unread("lee_02")).unread_count,
      last: (await chat.users.channels("lee_02").toArray({ max: 5 }))[0]?.last_message?.type,
    });
    const visible = { list: 300, exported: 300, found: 300, unread: 100, last: "text" };
    const hidden = { list: 0, exported: 0, found: 0, unread: 0, last: undefined };
    expect(await look()).toEqual(setting === undefined ? visible : hidden);
    await chat.channels.setRetention("room_1", { days: 30, hold: true });
    expect(await look()).toEqual(visible);
    const sweep = async () => {
      const due = sweepDueMessages(server.db);
      while (await due.step());
    };
    // A round ends, so a server without due messages is idle.
    await sweep();
    expect(await look()).toEqual(visible);
    await chat.channels.setRetention("room_1", { days: 30, hold: false });
    expect(await look()).toEqual(hidden);
    await chat.messages.send("room_1", { ...text, content: "old but new" });
    const fresh = { list: 1, exported: 1, found: 1, unread: 1, last: "text" };
    expect(await look()).toEqual(fresh);
    await sweep();
    expect(await look()).toEqual(fresh);
    await chat.channels.setRetention("room_1", { days: 36_500, hold: false });
    expect(await look()).toEqual(fresh);
    expect((await chat.channels.get("room_1")).total_message_count).toBe(301);
    const [{ n } = { n: 0 }] = await server.db.query<{ n: number }>({
      name: "test.n",
      text: "SELECT count(*) AS n FROM events WHERE type = 'message.deleted'",
    });
    expect(n).toBe(300);
    await server.close();
  },
);
