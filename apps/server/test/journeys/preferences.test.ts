import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { collect } from "../support/collect";
import { createToken } from "../support/replay";
import { startServer } from "../support/server";

const server = await startServer();
afterAll(() => server.close());
const chat = chatWith(server);

let count = 0;
async function createRooms(rooms: number) {
  count += 1;
  const [kim, lee] = [`kim_${count}0`, `lee_${count}0`];
  for (const user_id of [kim, lee]) await chat.users.create({ user_id, name: "Kim" });
  const channels = Array.from({ length: rooms }, (_, index) => `room_${count}_${index}`);
  for (const channel_id of channels)
    await chat.channels.create({ channel_id, name: "Room", members: [kim, lee] });
  const say = (channel: string) => chat.messages.send(channel, { user_id: lee, type: "text", content: "Hi" });
  const ids = async (filter: object = {}) =>
    (await collect(chat.users.channels(kim, filter))).map(({ channel_id }) => channel_id);
  const [first = "", second = ""] = channels;
  return { kim, lee, channels, first, second, say, ids };
}

test("a hidden channel comes back with its next message, and is hidden again when that is deleted", async () => {
  const { kim, first, say, ids } = await createRooms(1);
  await say(first);
  const { preferences } = await chat.channels.members.setPreferences(first, kim, { hidden: true });
  expect(preferences).toEqual({ hidden: true });
  expect([await ids(), await ids({ hidden: true })]).toEqual([[], [first]]);
  // Reading it, an edit, an import with an older time and a reaction do not bring it back.
  await chat.channels.members.markRead(first, kim);
  await chat.imports.messages(first, [{ user_id: kim, type: "text", content: "Old", created_at: 1 }]);
  expect(await ids()).toEqual([]);
  const { message_id } = await say(first);
  expect([await ids(), await ids({ hidden: true })]).toEqual([[first], []]);
  await chat.messages.delete(first, message_id);
  expect([await ids(), await ids({ hidden: true })]).toEqual([[], [first]]);
  await say(first);
  await chat.channels.members.setPreferences(first, kim, { hidden: true });
  expect(await ids()).toEqual([]);
});

test("what is quiet is counted apart, and both totals are exact whatever changes", async () => {
  const { kim, lee, first, second, say } = await createRooms(2);
  const set = (change: object) => chat.channels.members.setPreferences(first, kim, change);
  const totals = async () => Object.values(await chat.users.unread(kim));
  await say(first);
  await say(first);
  await say(second);
  expect(await totals()).toEqual([3, 2, 0]);
  for (const [quiet, loud] of [
    [{ notify: "none" }, { notify: "mentions" }],
    [{ quiet_until: Date.now() + 3_600_000 }, { quiet_until: null }],
    [{ archived: true }, { archived: false }],
    [{ hidden: true }, { hidden: false }],
    [{ hidden: true }, { pinned: true }],
  ]) {
    await set(quiet ?? {});
    expect(await totals()).toEqual([1, 1, 2]);
    await set(loud ?? {});
    expect(await totals()).toEqual([3, 2, 0]);
  }
  await set({ quiet_until: Date.now() + 300 });
  await expect.poll(totals, { timeout: 30_000 }).toEqual([3, 2, 0]);
  expect(await chat.channels.members.setPreferences(first, kim, { notify: "all" })).not.toHaveProperty(
    "preferences.quiet_until",
  );
  await set({ archived: true });
  await chat.users.blocks.add(kim, lee);
  expect(await totals()).toEqual([0, 0, 0]);
});

test("preferences end with the participation, and nobody else sees them", async () => {
  const { kim, lee, first } = await createRooms(1);
  const after = (await chat.events.list({ after: "latest" })).next;
  await chat.channels.members.setPreferences(first, kim, { notify: "none", pinned: true });
  await chat.channels.members.setPreferences(first, kim, { notify: "none", pinned: true });
  const eventsOf = async (key?: string) =>
    (await call(server.url, "GET", `/v1/events?after=${after}`, key ? { key } : {})).body.events;
  const event = {
    type: "member.preferences",
    channel_id: first,
    user_id: kim,
    data: { channel_id: first, user_id: kim, preferences: { notify: "none", pinned_at: expect.any(Number) } },
  };
  expect(await eventsOf()).toEqual([expect.objectContaining(event)]);
  expect(await eventsOf(await createToken(server.url, kim))).toEqual([expect.objectContaining(event)]);
  expect(await eventsOf(await createToken(server.url, lee))).toEqual([]);
  expect(JSON.stringify(await chat.channels.members.list(first))).not.toContain("preferences");
  await chat.channels.members.leave(first, kim);
  await chat.channels.members.join(first, kim);
  expect((await collect(chat.users.channels(kim)))[0]).not.toHaveProperty("preferences");
});

test("20 pins of a user hold against pins at the same time", async () => {
  const { kim, channels, ids } = await createRooms(26);
  const replies = await Promise.all(
    channels.map((channel) =>
      call(server.url, "PUT", `/v1/group/channels/${channel}/members/${kim}/preferences`, {
        body: { pinned: true },
      }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(replies.filter(({ body }) => body.code === "pin_limit_exceeded")).toHaveLength(6);
  expect(await ids({ pinned: true, pageSize: 30 })).toHaveLength(20);
  expect(await ids({ pageSize: 30 })).toHaveLength(26);
});
