import { setTimeout as wait } from "node:timers/promises";
import { Conversation } from "@madang/react/store";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Gate } from "../support/gate";
import {
  admin,
  createRoom,
  newId,
  openConversation,
  openPage,
  startSharedServer,
  textsOf,
} from "../support/react";

startSharedServer();

describe("what others do", () => {
  test("somebody who is removed and added again has no gap, and nothing that was deleted meanwhile", async () => {
    const room = await createRoom();
    const first = await room.send("A");
    const { conversation, store } = await openConversation(room);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    await admin.channels.members.leave(room.channelId, room.kim);
    for (const text of ["B", "C"]) await room.send(text);
    await admin.messages.delete(room.channelId, first);
    await expect.poll(() => conversation.state.get()).toMatchObject({ state: "failed", members: [] });
    await admin.channels.members.join(room.channelId, room.kim);
    await room.send("D");
    await expect.poll(() => textsOf(conversation)).toEqual(["B", "C", "D"]);
    await expect.poll(() => conversation.state.get().members).toHaveLength(2);
  });

  test.each(["participant", "manager"])(
    "a page that was opened before its user became a %s shows the channel then",
    async (role) => {
      const room = await createRoom();
      await room.send("Hello");
      const lee = newId("lee");
      await admin.users.create({ user_id: lee, name: "Lee" });
      const { store } = await openPage(lee);
      const conversation = new Conversation(store, room.channelId);
      onTestFinished(conversation.connect());
      await expect.poll(() => conversation.state.get().state).toBe("failed");
      await expect.poll(() => store.connection.get().state).toBe("connected");
      if (role === "manager") await admin.channels.managers.add(room.channelId, lee);
      else await admin.channels.members.join(room.channelId, lee);
      await expect.poll(() => textsOf(conversation)).toEqual(["Hello"]);
      await expect.poll(() => conversation.state.get().members.length).toBeGreaterThan(1);
    },
  );

  test("a channel that is created again shows nothing of the one before", async () => {
    const room = await createRoom();
    await room.send("old");
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    // The response to what was sent to the first channel comes when there is the second one.
    const held = gate.hold(/POST .*\/messages/);
    conversation.send({ content: "late" });
    await held.arrived;
    await admin.channels.delete(room.channelId);
    await admin.channels.create({ channel_id: room.channelId, name: "New", members: [room.kim, room.park] });
    await room.send("new");
    await expect.poll(() => textsOf(conversation)[0]).toBe("new");
    held.release();
    await expect.poll(() => textsOf(conversation)).toEqual(["new"]);
  });

  test("messages of a deleted user are not those of a new one with its id", async () => {
    const room = await createRoom();
    await room.send("before", room.kim);
    await admin.users.delete(room.kim);
    await admin.users.create({ user_id: room.kim, name: "Another Kim" });
    await admin.channels.members.join(room.channelId, room.kim);
    await room.send("after", room.kim);
    const { conversation } = await openConversation(room);
    expect(conversation.state.get().messages.map(({ isOwn }) => isOwn)).toEqual([false, true]);
  });

  test("an external_id that is the id of another message makes no key twice", async () => {
    const room = await createRoom();
    const first = await room.send("first");
    const copy = { user_id: room.park, type: "text", content: "second", external_id: first } as const;
    await admin.messages.send(room.channelId, copy);
    const { conversation } = await openConversation(room);
    const keys = conversation.state.get().messages.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  test("a mark and a reaction that failed are sent and read again with the next connection", async () => {
    const room = await createRoom();
    const id = await room.send("Noon?");
    const gate = new Gate();
    const { conversation: kims } = await openConversation(room, { gate });
    const accept = [
      gate.reject(/PUT .*\/read/, 403, "not_permitted"),
      gate.reject(/PUT .*\/reactions/, 403, "not_permitted"),
      gate.reject(/GET .*message_ids=/, 403, "not_permitted"),
    ];
    kims.markRead();
    const [shown] = kims.state.get().messages;
    if (shown) await kims.react(shown, "👍").catch(() => undefined);
    await expect.poll(() => gate.count(/GET .*message_ids=/)).toBe(1);
    expect(kims.state.get().messages[0]?.message.reactions).toHaveLength(1);
    for (const stop of accept) stop();
    gate.disconnect()();
    await expect.poll(() => kims.state.get().messages[0]?.message.reactions).toBeUndefined();
    await expect
      .poll(async () => (await admin.messages.readers(room.channelId, id)).readers.map(({ name }) => name))
      .toEqual(["Kim"]);
  });

  test("a mark whose request could not be made is an error of the page", async () => {
    const room = await createRoom();
    await room.send("Noon?");
    const { conversation, store } = await openConversation(room);
    const error = new TypeError("There is no such function.");
    vi.spyOn(store.chat.channels.members, "markRead").mockRejectedValueOnce(error);
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    const reported: unknown[] = [];
    process.on("unhandledRejection", (reason) => reported.push(reason));
    onTestFinished(() => {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    });
    conversation.markRead();
    await expect.poll(() => reported).toEqual([error]);
  });

  test("typing is shown for six seconds, or until their message, and is sent every three seconds at most", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation: kims } = await openConversation(room, { gate });
    const { conversation: parks, store } = await openConversation(room, { as: room.park });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    await expect.poll(() => parks.state.get().members.length).toBe(2);
    for (let key = 0; key < 50; key++) kims.setTyping(true);
    const typing = () => parks.state.get().typing.map(({ name }) => name);
    await expect.poll(typing).toEqual(["Kim"]);
    const since = performance.now();
    expect(gate.count(/\/signals/)).toBe(1);
    expect(kims.state.get().typing).toEqual([]);
    await expect.poll(typing).toEqual([]);
    expect(performance.now() - since).toBeGreaterThan(5_000);
    kims.setTyping(true);
    await expect.poll(typing).toEqual(["Kim"]);
    kims.send({ content: "Hello" });
    await expect.poll(() => textsOf(parks)).toEqual(["Hello"]);
    expect(typing()).toEqual([]);
    expect(gate.count(/\/signals/)).toBe(2);
  });

  test("reading is shown, and one's own is sent once a second at most, and not while the page is hidden", async () => {
    const room = await createRoom();
    const page = Object.assign(new EventTarget(), { hidden: true });
    vi.stubGlobal("document", page);
    onTestFinished(() => void vi.unstubAllGlobals());
    const gate = new Gate();
    const { conversation: kims } = await openConversation(room, { gate });
    const { conversation: parks } = await openConversation(room, { as: room.park });
    parks.send({ content: "Noon?" });
    await expect.poll(() => textsOf(kims)).toEqual(["Noon?"]);
    kims.markRead();
    await wait(300);
    const readers = () =>
      parks.state.get().messages.flatMap((shown) => parks.readers(shown).map(({ name }) => name));
    expect(readers()).toEqual([]);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    await expect.poll(readers).toEqual(["Kim"]);
    const marks = () => gate.count(/PUT .*\/read/);
    const before = marks();
    for (let index = 0; index < 20; index++) {
      await room.send(`${index}`);
      kims.markRead();
      await wait(50);
    }
    await expect.poll(() => kims.state.get().messages.length).toBe(21);
    kims.markRead();
    await expect
      .poll(async () => (await admin.channels.members.get(room.channelId, room.kim)).unread_count)
      .toBe(0);
    await wait(1_200);
    const sent = marks();
    expect(sent - before).toBeLessThanOrEqual(4);
    // Further up, nothing is marked.
    kims.markRead(kims.state.get().messages[0]?.key);
    await wait(1_200);
    expect(marks()).toBe(sent);
  });

  test("somebody who is removed sees nothing more, and who joins is a member", async () => {
    const room = await createRoom();
    const { conversation: kims } = await openConversation(room);
    const { conversation: parks } = await openConversation(room, { as: room.park });
    await admin.channels.members.leave(room.channelId, room.park);
    await expect.poll(() => kims.state.get().members.map(({ name }) => name)).toEqual(["Kim"]);
    await admin.messages.send(room.channelId, { user_id: room.kim, type: "text", content: "secret" });
    await expect.poll(() => textsOf(kims)).toEqual(["secret"]);
    await wait(500);
    expect(textsOf(parks)).toEqual([]);
    await parks.open();
    expect(parks.state.get()).toMatchObject({ state: "failed", error: { code: "channel_not_found" } });
    await admin.channels.members.join(room.channelId, room.park);
    await expect.poll(() => kims.state.get().members.map(({ name }) => name)).toEqual(["Kim", "Park"]);
  });

  test("the participants are read once when a page opens", async () => {
    const room = await createRoom();
    const { conversation, store, gate } = await openConversation(room);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    await expect.poll(() => conversation.state.get().members).toHaveLength(2);
    await wait(300);
    expect(gate.count(/GET .*\/members/)).toBe(1);
  });

  test("somebody who joins while the participants are read is one of them", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const held = gate.hold(/GET .*\/members/);
    const { conversation } = await openConversation(room, { gate });
    await held.arrived;
    const lee = newId("lee");
    await admin.users.create({ user_id: lee, name: "Lee" });
    await admin.channels.members.join(room.channelId, lee);
    await room.send("The event of this message comes after that of the join.");
    await expect.poll(() => textsOf(conversation)).toHaveLength(1);
    held.release();
    await expect
      .poll(() => conversation.state.get().members.map(({ name }) => name))
      .toEqual(["Kim", "Park", "Lee"]);
  });

  test("a page that is closed leaves no timer, listener or request behind", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation, leave, close, store } = await openConversation(room, { gate });
    const leaveInbox = store.inbox.connect();
    conversation.setTyping(true);
    conversation.markRead();
    leave();
    leaveInbox();
    close();
    await wait(300);
    const sent = gate.sent.length;
    await room.send("after");
    conversation.markRead();
    await wait(1_500);
    expect(gate.sent.length).toBe(sent);
    expect(textsOf(conversation)).toEqual([]);
    // A page that is shown again, as in Strict Mode, begins anew.
    const again = [store.connect(), conversation.connect()];
    await expect.poll(() => textsOf(conversation)).toEqual(["after"]);
    for (const stop of again) stop();
  });

  test("parts of a page that show the same channel share its history, until the last one is left", async () => {
    const room = await createRoom();
    await room.send("one");
    const gate = new Gate();
    const { store } = await openPage(room.kim, gate);
    const [one, other] = [store.conversation(room.channelId), store.conversation(room.channelId)];
    expect(other).toBe(one);
    const leave = [one.connect(), other.connect()];
    await expect.poll(() => textsOf(one)).toEqual(["one"]);
    expect(gate.count(/GET .*\/messages\?/)).toBe(1);
    leave[0]?.();
    await room.send("two");
    await expect.poll(() => textsOf(other)).toEqual(["one", "two"]);
    leave[1]?.();
    expect(store.conversation(room.channelId)).not.toBe(one);
  });

  test("the last mark of a page that is closed fails, and nothing is read again", async () => {
    const room = await createRoom();
    await room.send("one");
    const gate = new Gate();
    const { conversation, leave, close, store } = await openConversation(room, { gate });
    const leaveInbox = store.inbox.connect();
    await expect.poll(() => store.inbox.state.get().unreadCount).toBe(1);
    gate.reject(/PUT .*\/read/, 403, "not_permitted");
    gate.reject(/GET .*channel_ids=/, 503, "unavailable");
    conversation.markRead();
    leave();
    leaveInbox();
    close();
    await wait(3_000);
    expect(gate.count(/GET .*channel_ids=/)).toBe(0);
  });
});

describe("tabs of one user", () => {
  test("share one stream, and when the tab that has it closes, another goes on without a gap", async () => {
    const room = await createRoom();
    const gates = [new Gate(), new Gate(), new Gate()];
    const pages = [];
    for (const gate of gates) {
      const page = await openPage(room.kim, gate);
      const conversation = new Conversation(page.store, room.channelId);
      onTestFinished(conversation.connect());
      await expect.poll(() => page.store.connection.get().state).toBe("connected");
      pages.push({ ...page, conversation });
    }
    const streams = () => gates.map((gate) => gate.count(/\/events\/stream/));
    expect(streams()).toEqual([1, 0, 0]);
    const [first, ...others] = pages;
    const texts = Array.from({ length: 60 }, (_, index) => `${index}`);
    for (const text of texts) {
      await room.send(text);
      if (text === "20") first?.close();
    }
    for (const { conversation } of others) await expect.poll(() => textsOf(conversation)).toEqual(texts);
    expect(streams().reduce((sum, count) => sum + count)).toBe(2);
  });

  test("of different users share nothing", async () => {
    const room = await createRoom();
    const { conversation } = await openConversation(room);
    const other = await createRoom();
    const { conversation: others } = await openConversation(other);
    await room.send("to Kim");
    await expect.poll(() => textsOf(conversation)).toEqual(["to Kim"]);
    expect(textsOf(others)).toEqual([]);
  });
});
