import { setTimeout as wait } from "node:timers/promises";
import type { PreferencesChange } from "@madang/client";
import type { ChatStore, InboxFilter } from "@madang/react/store";
import { expect, onTestFinished, test } from "vitest";
import { Gate } from "../support/gate";
import { admin, createRoom, newId, openPage, startSharedServer } from "../support/react";

startSharedServer();

/** Channels of Kim and Park, the newest first, each with one unread message. */
async function createRooms(count: number) {
  const room = await createRoom();
  const { kim, park } = room;
  const channels = [room.channelId];
  while (channels.length < count) {
    const channel_id = newId("room");
    await admin.channels.create({ channel_id, name: channel_id, members: [kim, park] });
    channels.unshift(channel_id);
  }
  const send = async (channelId = "") =>
    (await admin.messages.send(channelId, { user_id: park, type: "text", content: "Hello" })).message_id;
  for (const channelId of channels.toReversed()) await send(channelId);
  /** On another device. */
  const set = (channelId: string | undefined, change: PreferencesChange) =>
    admin.channels.members.setPreferences(channelId ?? "", kim, change);
  return { kim, channels, send, set };
}

/** A page of Kim with these lists, once events arrive. */
async function openLists(userId: string, filters: readonly InboxFilter[], gate = new Gate()) {
  const { store } = await openPage(userId, gate);
  for (const filter of filters) onTestFinished(store.inbox.connect({ filter }));
  for (const filter of filters)
    await expect.poll(() => store.inbox.stateOf(filter).get().state).toBe("ready");
  await expect.poll(() => store.connection.get().state).toBe("connected");
  await expect.poll(() => store.blocks.state.get().state).toBe("ready");
  return { store, gate };
}

const idsOf = ({ inbox }: ChatStore, filter: InboxFilter = "all") =>
  inbox
    .stateOf(filter)
    .get()
    .channels.map(({ channel_id }) => channel_id);
const lineOf = ({ inbox }: ChatStore, channelId = "", filter: InboxFilter = "all") =>
  inbox
    .stateOf(filter)
    .get()
    .channels.find(({ channel_id }) => channel_id === channelId);
const unreadOf = ({ inbox }: ChatStore) => inbox.state.get().unreadCount;

test("a change is shown at once, here and then in other tabs, and an error takes it back", async () => {
  const { kim, channels } = await createRooms(3);
  const [first = "", second = "", third = ""] = channels;
  const { store, gate } = await openLists(kim, ["all", "archived"]);
  const { store: other } = await openLists(kim, ["all", "archived"]);
  const held = gate.hold(/PUT .*\/preferences/);
  const pinned = lineOf(store, third)?.setPreferences({ pinned: true });
  const archived = lineOf(store, first)?.setPreferences({ archived: true });
  expect(idsOf(store)).toEqual([third, second]);
  expect(idsOf(store, "archived")).toEqual([first]);
  expect(unreadOf(store)).toBe(2);
  held.release();
  await Promise.all([pinned, archived]);
  for (const page of [store, other]) {
    await expect.poll(() => idsOf(page)).toEqual([third, second]);
    await expect.poll(() => idsOf(page, "archived")).toEqual([first]);
    await expect.poll(() => unreadOf(page)).toBe(2);
  }
  // The pin that the service does not take is shown until it has said so; what was set before stays.
  const allow = gate.reject(/PUT .*\/preferences/, 409, "pin_limit_exceeded");
  const failing = lineOf(store, second)?.setPreferences({ pinned: true, notify: "none" });
  expect(lineOf(store, second)?.preferences).toMatchObject({ notify: "none" });
  await expect(failing).rejects.toMatchObject({ code: "pin_limit_exceeded" });
  expect(lineOf(store, second)).not.toHaveProperty("preferences");
  expect(unreadOf(store)).toBe(2);
  allow();
  await lineOf(store, first, "archived")?.setPreferences({ archived: false });
  expect(idsOf(store)).toEqual([third, first, second]);
  await expect.poll(() => idsOf(other)).toEqual([third, first, second]);
});

test("of several changes, the last one stays, and one that is rejected takes back only itself", async () => {
  const { kim, channels } = await createRooms(1);
  const [channelId = ""] = channels;
  const { store, gate } = await openLists(kim, ["all"]);
  const set = (change: PreferencesChange) => store.inbox.setPreferences(channelId, change);
  const preferences = () => lineOf(store, channelId)?.preferences;
  await Promise.all([set({ notify: "none" }), set({ notify: "mentions" }), set({ pinned: true })]);
  expect(preferences()).toEqual({ notify: "mentions", pinned_at: expect.any(Number) });
  const held = gate.delay(/PUT .*\/preferences/);
  const quiet = set({ notify: "none" });
  await held.arrived;
  // In the past, which the service rejects.
  const rejected = set({ quiet_until: 1 });
  held.release();
  expect(preferences()).toMatchObject({ notify: "none", quiet_until: 1 });
  await quiet;
  await expect(rejected).rejects.toMatchObject({ code: "invalid_request" });
  expect(preferences()).toEqual({ notify: "none", pinned_at: expect.any(Number) });
  // As the service has it, also after what another device has changed meanwhile.
  await Promise.all([
    set({ notify: "all" }),
    admin.channels.members.setPreferences(channelId, kim, { notify: "mentions" }),
  ]);
  const truth = async () =>
    (await admin.users.channels(kim, { channel_ids: [channelId] }).toArray())[0]?.preferences;
  const expected = await truth();
  await expect.poll(preferences).toEqual(expected);
  await wait(1_500);
  expect(preferences()).toEqual(expected);
});

test("pinned channels are first, also those of further pages, and only until they are not pinned any more", async () => {
  const { kim, channels, set } = await createRooms(36);
  const last = channels.at(-1) ?? "";
  await set(last, { pinned: true });
  const { store } = await openLists(kim, ["all", "unread"]);
  for (const filter of ["all", "unread"] as const)
    expect(idsOf(store, filter)).toEqual([last, ...channels.slice(0, 30)]);
  await expect.poll(() => unreadOf(store)).toBe(36);
  await lineOf(store, last)?.setPreferences({ pinned: false });
  expect(idsOf(store)).toEqual(channels.slice(0, 30));
  await store.inbox.loadMore();
  expect(idsOf(store)).toEqual(channels);
  await store.inbox.loadMore("unread");
  expect(idsOf(store, "unread")).toEqual(channels);
});

test("each list has what belongs to it, and what another device changes costs no request", async () => {
  const { kim, channels, send, set } = await createRooms(5);
  const [first, second, third, fourth, fifth] = channels;
  const lists = ["all", "unread", "archived", "hidden"] as const;
  const { store, gate } = await openLists(kim, lists);
  await expect.poll(() => unreadOf(store)).toBe(5);
  await wait(1_200);
  const before = gate.count(/GET (?!.*\/events)/);
  await set(first, { archived: true });
  await set(second, { hidden: true });
  await set(third, { notify: "none" });
  await admin.channels.members.markRead(fourth ?? "", kim);
  await set(fifth, { pinned: true });
  await expect
    .poll(() => lists.map((filter) => idsOf(store, filter)))
    .toEqual([[fifth, third, fourth], [fifth, third], [first], [second]]);
  expect(unreadOf(store)).toBe(1);
  // An archived channel stays where it is, a hidden one comes back with a message and is hidden again without it.
  await send(first);
  const id = await send(second);
  await expect.poll(() => lineOf(store, first, "archived")?.unread_count).toBe(2);
  await expect.poll(() => idsOf(store)).toEqual([fifth, second, third, fourth]);
  await expect.poll(() => unreadOf(store)).toBe(3);
  await wait(1_200);
  expect(gate.count(/GET (?!.*\/events)/)).toBe(before);
  await admin.messages.delete(second ?? "", id);
  await expect.poll(() => idsOf(store, "hidden")).toEqual([second]);
  await expect.poll(() => unreadOf(store)).toBe(1);
});

test("messages of archived channels are read once, and the total is that of all channels, whatever list is shown", async () => {
  const { kim, channels, send, set } = await createRooms(3);
  const [first, second] = channels;
  await set(first, { archived: true });
  const { store, gate } = await openLists(kim, ["all"]);
  const reads = () => gate.count(/GET .*channel_ids=/);
  await send(first);
  await expect.poll(reads).toBe(1);
  await wait(1_200);
  for (let count = 0; count < 3; count++) await send(first);
  await send(second);
  await expect.poll(() => unreadOf(store)).toBe(3);
  expect(reads()).toBe(1);

  const { store: archive } = await openLists(kim, ["archived"]);
  const unread = () => archive.inbox.stateOf("archived").get().unreadCount;
  await expect.poll(unread).toBe(3);
  await send(second);
  await expect.poll(unread).toBe(4);
  expect(lineOf(archive, first, "archived")?.unread_count).toBe(5);
  expect((await admin.users.unread(kim)).unread_count).toBe(4);
});

test("a silence ends by itself, and what is archived further down is counted as the service counts it", async () => {
  const { kim, channels, set } = await createRooms(36);
  const [first] = channels;
  const { store } = await openLists(kim, ["all"]);
  await expect.poll(() => unreadOf(store)).toBe(36);
  await set(channels.at(-1), { archived: true });
  await expect.poll(() => unreadOf(store)).toBe(35);
  await set(first, { quiet_until: Date.now() + 3_000 });
  await expect.poll(() => unreadOf(store)).toBe(34);
  await expect.poll(() => unreadOf(store)).toBe(35);
  expect(lineOf(store, first)).not.toHaveProperty("preferences");
});
