import type { User } from "@madang/client";
import type { ChatStore } from "@madang/react/store";
import { expect, onTestFinished, test } from "vitest";
import { Gate } from "../support/gate";
import {
  admin,
  createRoom,
  newId,
  openConversation,
  openPage,
  type Room,
  startSharedServer,
  textsOf,
} from "../support/react";

startSharedServer();

/** A channel of three people: a block does not close it. */
async function createGroup() {
  const room = await createRoom();
  const lee = newId("lee");
  await admin.users.create({ user_id: lee, name: "Lee" });
  await admin.channels.members.join(room.channelId, lee);
  return { ...room, lee, parkUser: await admin.users.get(room.park) };
}

/** Kim's conversation and inbox, once events arrive. */
async function openAll(room: Room, gate = new Gate()) {
  const page = await openConversation(room, { gate });
  onTestFinished(page.store.inbox.connect());
  await expect.poll(() => page.store.inbox.state.get().state).toBe("ready");
  await expect.poll(() => page.store.connection.get().state).toBe("connected");
  await expect.poll(() => page.store.blocks.state.get().state).toBe("ready");
  return page;
}

const idsOf = ({ blocks }: ChatStore) => blocks.state.get().users.map(({ user_id }) => user_id);

test("a block marks what the other has sent, in every tab and on every device, and its end unmarks it", async () => {
  const room = await createGroup();
  const id = await room.send("from Park");
  await room.send("from Lee", room.lee);
  await admin.messages.send(room.channelId, {
    user_id: room.lee,
    type: "text",
    content: "reply",
    reply_to: id,
  });
  const pages = [await openAll(room), await openAll(room)];
  const [page] = pages;
  if (page === undefined) throw new Error("There is no page.");
  const marksOf = ({ conversation }: (typeof pages)[number]) =>
    conversation.state.get().messages.map(({ isBlocked, isQuoteBlocked }) => [isBlocked, isQuoteBlocked]);
  for (const one of pages) {
    await expect
      .poll(() => one.conversation.state.get().messages[2]?.quote)
      .toMatchObject({ message_id: id });
    await expect.poll(() => one.store.inbox.state.get().unreadCount).toBe(3);
  }
  await page.store.blocks.block(room.parkUser);
  // At once on this page.
  expect(idsOf(page.store)).toEqual([room.park]);
  for (const one of pages) {
    await expect
      .poll(() => marksOf(one))
      .toEqual([
        [true, false],
        [false, false],
        [false, true],
      ]);
    await expect.poll(() => idsOf(one.store)).toEqual([room.park]);
    await expect.poll(() => one.store.inbox.state.get().unreadCount).toBe(2);
  }
  // On another device.
  await admin.users.blocks.remove(room.kim, room.park);
  for (const one of pages) {
    await expect.poll(() => marksOf(one).flat()).not.toContain(true);
    await expect.poll(() => idsOf(one.store)).toEqual([]);
    await expect.poll(() => one.store.inbox.state.get().unreadCount).toBe(3);
  }
});

test("what a blocked user sends is shown, and neither counts nor mentions; typing is not shown", async () => {
  const room = await createGroup();
  const { store, conversation, gate } = await openAll(room);
  await store.blocks.block(room.parkUser);
  await expect.poll(() => conversation.state.get().members.length).toBe(3);
  const reads = () => gate.count(/GET .*channel_ids=/);
  const before = reads();
  await admin.channels.members.markRead(room.channelId, room.kim);
  await admin.messages.send(room.channelId, {
    user_id: room.park,
    type: "text",
    content: "@Kim",
    mentions: [room.kim],
  });
  await admin.signals.send(room.channelId, { user_id: room.park, type: "typing" });
  await admin.signals.send(room.channelId, { user_id: room.lee, type: "typing" });
  await expect.poll(() => conversation.state.get().typing.map(({ name }) => name)).toEqual(["Lee"]);
  await expect.poll(() => textsOf(conversation)).toEqual(["@Kim"]);
  const line = () => store.inbox.state.get().channels[0];
  await expect
    .poll(line)
    .toMatchObject({ unread_count: 0, mention_count: 0, last_message: { content: "@Kim" } });
  // An event that carries what it changes costs no request, also that of a blocked user.
  expect(reads() - before).toBeLessThan(2);
});

test("counts are those of the service, although the other writes while it is blocked and unblocked elsewhere", async () => {
  const room = await createGroup();
  const { store } = await openAll(room);
  for (let round = 0; round < 6; round++) {
    const change = round % 2 === 0 ? "add" : "remove";
    await Promise.all([
      ...Array.from({ length: 5 }, (_, index) => room.send(`${round} ${index}`)),
      admin.users.blocks[change](room.kim, room.park),
      room.send(`${round}`, room.lee),
    ]);
    const truth = await admin.users.unread(room.kim);
    await expect.poll(() => store.inbox.state.get().unreadCount).toBe(truth.unread_count);
  }
  expect(store.inbox.state.get().unreadCount).toBe(36);
});

test("until the blocks are read, only the service counts", async () => {
  const room = await createGroup();
  await admin.users.blocks.add(room.kim, room.park);
  const gate = new Gate();
  const held = gate.hold(/GET .*\/blocks/);
  const { store } = await openPage(room.kim, gate);
  onTestFinished(store.inbox.connect());
  await held.arrived;
  await expect.poll(() => store.inbox.state.get().state).toBe("ready");
  await expect.poll(() => store.connection.get().state).toBe("connected");
  await room.send("It does not count.");
  await room.send("It does.", room.lee);
  await expect
    .poll(() => store.inbox.state.get().channels[0]?.last_message)
    .toMatchObject({ content: "It does." });
  await expect.poll(() => store.inbox.state.get().unreadCount).toBe(1);
  held.release();
  await expect.poll(() => idsOf(store)).toEqual([room.park]);
  expect(store.inbox.state.get().unreadCount).toBe(1);
});

test("a message to somebody who is blocked has failed, and is sent again after the block", async () => {
  const room = await createRoom();
  const { store, conversation } = await openAll(room);
  await store.blocks.block(await admin.users.get(room.park));
  conversation.send({ content: "Hello" });
  await expect.poll(() => textsOf(conversation)).toEqual(["Hello (failed)"]);
  const [failed] = conversation.state.get().messages;
  expect(failed?.error).toMatchObject({ code: "user_blocked" });
  await store.blocks.unblock({ user_id: room.park });
  if (failed) conversation.retry(failed);
  await expect.poll(() => textsOf(conversation)).toEqual(["Hello"]);
});

test("a user with the id of one who was blocked and deleted is not blocked", async () => {
  const room = await createGroup();
  await room.send("before");
  const { store, conversation } = await openAll(room);
  await store.blocks.block(room.parkUser);
  await expect.poll(() => conversation.state.get().messages[0]?.isBlocked).toBe(true);
  await expect.poll(() => store.blocks.toSaved()?.length).toBe(1);
  await admin.users.delete(room.park);
  await admin.users.create({ user_id: room.park, name: "Another Park" });
  await admin.channels.members.join(room.channelId, room.park);
  await room.send("after");
  await expect.poll(() => textsOf(conversation)).toEqual(["before", "after"]);
  await expect.poll(() => idsOf(store)).toEqual([]);
  expect(conversation.state.get().messages.map(({ isBlocked }) => isBlocked)).toEqual([false, false]);
});

test("blocks that the service rejects, or that cannot be read, say why", async () => {
  const room = await createGroup();
  const gate = new Gate();
  const allow = gate.reject(/GET .*\/blocks/, 403, "scope_missing");
  const { store } = await openPage(room.kim, gate);
  await expect
    .poll(() => store.blocks.state.get())
    .toMatchObject({ state: "failed", users: [], error: { code: "scope_missing" } });
  gate.reject(/PUT .*\/blocks/, 409, "block_limit_exceeded");
  await expect(store.blocks.block(room.parkUser)).rejects.toMatchObject({ code: "block_limit_exceeded" });
  expect(store.blocks.isBlocked(room.parkUser)).toBe(false);
  allow();
  await admin.users.blocks.add(room.kim, room.park);
  await expect.poll(() => store.blocks.state.get()).toMatchObject({ state: "ready", error: undefined });
  expect(store.blocks.isBlocked(room.parkUser)).toBe(true);
});

test("more blocks than a page of them are all known, newest first", async () => {
  const room = await createRoom();
  const others: User[] = [];
  for (let index = 0; index < 103; index++) {
    const user = await admin.users.create({ user_id: newId("other"), name: `${index}` });
    await admin.users.blocks.add(room.kim, user.user_id);
    others.unshift(user);
  }
  const { store } = await openPage(room.kim);
  await expect.poll(() => idsOf(store)).toEqual(others.map(({ user_id }) => user_id));
});
