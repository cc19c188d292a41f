import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { admin, createRoom, openConversation, type Room, startSharedServer, textsOf } from "../support/react";

startSharedServer();

const minute = 60_000;

/** A conversation of Kim once events arrive. */
async function openAll(room: Room) {
  const page = await openConversation(room);
  await expect.poll(() => page.store.connection.get().state).toBe("connected");
  const untilOf = () => page.conversation.state.get().slowModeUntil;
  return { ...page, untilOf, waitOf: () => (untilOf() ?? 0) - Date.now() };
}

test("in slow mode, a page knows until when its user waits: after a message of its own, also from another page", async () => {
  const room = await createRoom();
  const { conversation, untilOf, waitOf } = await openAll(room);
  await admin.channels.setSlowMode(room.channelId, 60);
  expect(untilOf()).toBeUndefined();
  conversation.send({ content: "One" });
  await expect.poll(waitOf).toBeGreaterThan(minute - 5_000);
  expect(waitOf()).toBeLessThanOrEqual(minute);
  // A page that is opened later, and one that gets the message by an event.
  const later = await openAll(room);
  await expect.poll(later.waitOf).toBeGreaterThan(minute - 15_000);
  await admin.channels.setSlowMode(room.channelId, 0);
  for (const until of [untilOf, later.untilOf]) await expect.poll(until).toBeUndefined();
  // What was sent before slow mode began does not count.
  await admin.channels.setSlowMode(room.channelId, 60);
  await wait(1_500);
  expect(untilOf()).toBeUndefined();
  later.conversation.send({ content: "Two" });
  await expect.poll(waitOf).toBeGreaterThan(minute - 5_000);
});

test("a message that was sent before slow mode began does not count, though its response arrives later", async () => {
  const room = await createRoom();
  const { conversation, untilOf, waitOf, gate } = await openAll(room);
  conversation.send({ content: "One" });
  await expect.poll(() => textsOf(conversation)).toEqual(["One"]);
  const response = gate.hold(/^POST .*\/messages$/);
  conversation.send({ content: "Two" });
  await response.arrived;
  await admin.channels.setSlowMode(room.channelId, 60);
  await wait(1_500);
  response.release();
  await expect.poll(() => textsOf(conversation)).toEqual(["One", "Two"]);
  await wait(500);
  expect(untilOf()).toBeUndefined();
  conversation.send({ content: "Three" });
  await expect.poll(waitOf).toBeGreaterThan(minute - 5_000);
});

test("without slow mode, and for managers, nobody waits, and it ends by itself", async () => {
  const room = await createRoom();
  const { conversation, untilOf, waitOf } = await openAll(room);
  const changes: (number | undefined)[] = [];
  onTestFinished(conversation.state.subscribe(() => changes.push(untilOf())));
  conversation.send({ content: "One" });
  await expect.poll(() => textsOf(conversation)).toEqual(["One"]);
  await admin.channels.setSlowMode(room.channelId, 60);
  await admin.channels.managers.add(room.channelId, room.kim);
  await wait(1_500);
  conversation.send({ content: "Two" });
  conversation.send({ content: "Three" });
  await expect.poll(() => textsOf(conversation)).toEqual(["One", "Two", "Three"]);
  await wait(1_500);
  expect(changes.filter((until) => until !== undefined)).toEqual([]);
  await admin.channels.setSlowMode(room.channelId, 2);
  await admin.channels.managers.remove(room.channelId, room.kim);
  await wait(2_000);
  conversation.send({ content: "Four" });
  await expect.poll(waitOf).toBeGreaterThan(0);
  await expect.poll(untilOf).toBeUndefined();
});

test("what slow mode rejects has failed at once, says until when, and can be sent then", async () => {
  const room = await createRoom();
  await admin.channels.setSlowMode(room.channelId, 3);
  const { conversation, waitOf, untilOf, store } = await openAll(room);
  conversation.send({ content: "One" });
  conversation.send({ content: "Two" });
  await expect.poll(() => textsOf(conversation)).toEqual(["One", "Two (failed)"]);
  const failed = conversation.state.get().messages.at(-1);
  expect(failed?.error).toMatchObject({ code: "slow_mode", canRetry: true });
  expect(failed?.error?.text).toMatch(/wait/);
  expect(failed?.error?.retryAt).toBeGreaterThan(Date.now() - 1_000);
  expect(waitOf()).toBeGreaterThan(0);
  // Another message does not wait for it.
  await expect.poll(untilOf).toBeUndefined();
  if (failed) conversation.retry(failed);
  await expect.poll(() => textsOf(conversation)).toEqual(["One", "Two"]);
  expect(store.outbox.unsent.get()).toEqual([]);
});

test("what a filter rejects says so, cannot be sent again, and is known after a reload", async () => {
  const room = await createRoom();
  const filter = await admin.filters.create({
    label: "spam",
    words: ["casino"],
    action: "reject",
    channel_ids: [room.channelId],
  });
  onTestFinished(() => admin.filters.delete(filter.filter_id));
  const kept = new Map<string, string>();
  const storage = {
    get: async (name: string) => kept.get(name),
    set: async (name: string, text: string) => kept.set(name, text),
    remove: async (name: string) => kept.delete(name),
  };
  const { conversation, close, leave } = await openConversation(room, { storage, userId: room.kim });
  conversation.send({ content: "The best casino" });
  await expect.poll(() => textsOf(conversation)).toEqual(["The best casino (failed)"]);
  const why = {
    code: "message_rejected",
    text: "This contains something that is not allowed here.",
    check: "filter",
    canRetry: false,
  };
  const [failed] = conversation.state.get().messages;
  expect(failed?.error).toMatchObject({ ...why, cause: { filterId: filter.filter_id } });
  leave();
  close();
  const { conversation: reloaded } = await openConversation(room, { storage, userId: room.kim });
  await expect.poll(() => reloaded.state.get().messages[0]?.error).toEqual(why);
});
