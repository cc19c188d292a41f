import { setTimeout as wait } from "node:timers/promises";
import { Search } from "@madang/react/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { Gate } from "../support/gate";
import {
  admin,
  createRoom,
  newId,
  openConversation,
  openPage,
  type Room,
  startSharedServer,
} from "../support/react";

startSharedServer();

async function openInbox(userId: string, gate = new Gate()) {
  const page = await openPage(userId, gate);
  onTestFinished(page.store.inbox.connect());
  await expect.poll(() => page.store.inbox.state.get().state).toBe("ready");
  return { ...page, inbox: page.store.inbox };
}

/** Another channel of Kim and Park. */
async function addChannel({ kim, park }: Room): Promise<string> {
  const channel_id = newId("room");
  await admin.channels.create({ channel_id, name: channel_id, members: [kim, park] });
  return channel_id;
}

describe("the inbox", () => {
  test("has the order, the last messages and the counts of the service, whatever happens", async () => {
    const room = await createRoom();
    const others = [await addChannel(room), await addChannel(room)];
    const { inbox } = await openInbox(room.kim);
    const { kim, park } = room;
    const text = (user_id: string, content: string) => ({ user_id, type: "text" as const, content });
    const sent = [];
    for (const [index, channelId] of [room.channelId, ...others, room.channelId].entries())
      sent.push(await admin.messages.send(channelId, { ...text(park, `${index}`), mentions: [kim] }));
    await admin.messages.send(others[0] ?? "", text(kim, "own"));
    await admin.messages.send(others[1] ?? "", { type: "system", content: "A note" });
    await admin.messages.update(room.channelId, sent[3]?.message_id ?? "", { content: "edited" });
    await admin.messages.delete(room.channelId, sent[0]?.message_id ?? "");
    // On another device.
    await admin.channels.members.markRead(others[1] ?? "", kim);
    await admin.channels.update(room.channelId, { name: "Dinner" });
    const added = await addChannel(room);
    await admin.channels.members.leave(others[1] ?? "", kim);
    const expected = await admin.users.channels(kim).toArray();
    expect(expected).toHaveLength(3);
    await expect.poll(() => inbox.state.get().channels.map(summaryOf)).toEqual(expected.map(summaryOf));
    expect(inbox.state.get().unreadCount).toBe((await admin.users.unread(kim)).unread_count);
    await admin.channels.delete(added);
    await expect.poll(() => inbox.state.get().channels.length).toBe(2);
  });

  test("has lines without what was removed, and counts what was sent and deleted", async () => {
    const room = await createRoom();
    const { channelId, kim } = room;
    await admin.channels.update(channelId, { name: "Lunch", profile_url: "https://example.com/a.png" });
    const { inbox, store } = await openInbox(kim);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const line = () => inbox.state.get().channels[0];
    const note = await admin.messages.send(channelId, { type: "system", content: "Hi", mentions: [kim] });
    await room.send("later");
    await admin.channels.members.markRead(channelId, kim, undefined);
    const other = await admin.messages.send(channelId, { type: "system", content: "Hi", mentions: [kim] });
    await admin.messages.send(channelId, { type: "system", content: "No mention" });
    await expect.poll(line).toMatchObject({ mention_count: 1, unread_count: 0, total_message_count: 4 });
    for (const { message_id } of [note, other]) await admin.messages.delete(channelId, message_id);
    await expect.poll(() => line()?.mention_count).toBe(0);
    expect(line()).toHaveProperty("profile_url");
    await admin.channels.update(channelId, { name: "Lunch", profile_url: "" });
    await expect.poll(line).not.toHaveProperty("profile_url");
    const [expected] = await admin.users.channels(kim).toArray();
    expect(line()).toEqual({ ...expected, setPreferences: expect.any(Function) });
  });

  test("has the participants of each channel for a page that shows them", async () => {
    const room = await createRoom();
    const { store, inbox } = await openInbox(room.kim);
    expect(inbox.state.get().channels[0]).not.toHaveProperty("members");
    onTestFinished(store.inbox.connect({ members: true }));
    const names = () => inbox.state.get().channels[0]?.members?.map(({ name }) => name);
    await expect.poll(names).toEqual(["Kim", "Park"]);
    await admin.channels.members.leave(room.channelId, room.park);
    await expect.poll(names).toEqual(["Kim"]);
  });

  test("shows as unread what came after a mark, whose response comes late, and what could not be marked", async () => {
    const room = await createRoom();
    await room.send("one");
    const gate = new Gate();
    const { store, conversation } = await openConversation(room, { gate });
    onTestFinished(store.inbox.connect());
    const unread = () => store.inbox.state.get().unreadCount;
    await expect.poll(unread).toBe(1);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const held = gate.hold(/PUT .*\/read/);
    conversation.markRead();
    await held.arrived;
    await room.send("two");
    await expect.poll(unread).toBe(1);
    held.release();
    await wait(1_200);
    expect(unread()).toBe(1);
    gate.reject(/PUT .*\/read/, 403, "not_permitted");
    await expect.poll(() => conversation.state.get().messages).toHaveLength(2);
    conversation.markRead();
    expect(unread()).toBe(0);
    await expect.poll(unread).toBe(1);
  });

  test("reads a line that could not be read again while the chat is quiet", async () => {
    const room = await createRoom();
    const id = await room.send("one");
    const gate = new Gate();
    const { inbox, store } = await openInbox(room.kim, gate);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const allow = gate.reject(/GET .*channel_ids=/, 503, "unavailable");
    await admin.messages.delete(room.channelId, id);
    // More often than the client itself tries it.
    await expect.poll(() => gate.count(/GET .*channel_ids=/)).toBeGreaterThan(3);
    allow();
    await expect.poll(() => inbox.state.get().unreadCount).toBe(0);
    expect(inbox.state.get().channels[0]).not.toHaveProperty("last_message");
  });

  test("counts a message once that is in a line and in an event", async () => {
    const room = await createRoom();
    await room.send("one");
    const gate = new Gate();
    const { inbox, store } = await openInbox(room.kim, gate);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const held = gate.delay(/GET .*channel_ids=/);
    // The line is read again for a join.
    const extra = newId("lee");
    await admin.users.create({ user_id: extra, name: "Lee" });
    await admin.channels.members.join(room.channelId, extra);
    await held.arrived;
    await room.send("two");
    await wait(300);
    // The line has the message, and its event is applied afterwards.
    held.release();
    await room.send("three");
    await expect
      .poll(() => inbox.state.get().channels[0])
      .toMatchObject({ unread_count: 3, member_count: 3 });
    await wait(1_500);
    expect(inbox.state.get().channels[0]).toMatchObject({ unread_count: 3 });
  });

  test("is read when a page that was closed without a connection is opened again", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const connect = gate.disconnect();
    const { store, close } = await openPage(room.kim, gate);
    const leave = store.inbox.connect();
    await wait(100);
    leave();
    close();
    connect();
    for (const end of [store.connect(), store.inbox.connect()]) onTestFinished(end);
    await expect.poll(() => store.inbox.state.get().state).toBe("ready");
  });

  test("what is read in a conversation is read at once", async () => {
    const room = await createRoom();
    for (const text of ["one", "two", "three"]) await room.send(text);
    const { store, conversation } = await openConversation(room);
    onTestFinished(store.inbox.connect());
    const { inbox } = store;
    await expect.poll(() => inbox.state.get().unreadCount).toBe(3);
    conversation.markRead(conversation.state.get().messages[1]?.key);
    await expect.poll(() => inbox.state.get().unreadCount).toBe(1);
    conversation.markRead();
    await expect.poll(() => inbox.state.get().unreadCount).toBe(0);
  });

  test("of more than a page continues, and its count is that of all channels", async () => {
    const room = await createRoom();
    const channels = [room.channelId];
    while (channels.length < 40) channels.push(await addChannel(room));
    for (const channelId of channels)
      await admin.messages.send(channelId, { user_id: room.park, type: "text", content: "Hello" });
    const { inbox } = await openInbox(room.kim);
    expect(inbox.state.get()).toMatchObject({ hasMore: true });
    expect(inbox.state.get().channels).toHaveLength(30);
    await expect.poll(() => inbox.state.get().unreadCount).toBe(40);
    // One that is not loaded yet.
    await room.send("again");
    await expect.poll(() => inbox.state.get().channels[0]?.channel_id).toBe(room.channelId);
    await expect.poll(() => inbox.state.get().unreadCount).toBe(41);
    await inbox.loadMore();
    expect(inbox.state.get()).toMatchObject({ hasMore: false, unreadCount: 41 });
    const expected = await admin.users.channels(room.kim).toArray();
    expect(inbox.state.get().channels.map(summaryOf)).toEqual(expected.map(summaryOf));
  });

  test("of more than a page has no line that belongs further down, and goes on there", async () => {
    const room = await createRoom();
    const channels = [room.channelId];
    while (channels.length < 35) channels.push(await addChannel(room));
    const { inbox, store } = await openInbox(room.kim);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const id = await room.send("It is read, and deleted.");
    await expect.poll(() => inbox.state.get().channels[0]?.channel_id).toBe(room.channelId);
    await admin.messages.delete(room.channelId, id);
    await expect
      .poll(() => inbox.state.get().channels.some(({ channel_id }) => channel_id === room.channelId))
      .toBe(false);
    await inbox.loadMore();
    const expected = await admin.users.channels(room.kim).toArray();
    expect(inbox.state.get().channels.map(summaryOf)).toEqual(expected.map(summaryOf));
  });

  test("of more than a page has a channel whose only message was older than the page, once that is deleted", async () => {
    const room = await createRoom();
    for (let index = 0; index < 34; index++) await addChannel(room);
    const { inbox, store } = await openInbox(room.kim);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const channel = await addChannel(room);
    const has = () => inbox.state.get().channels.some(({ channel_id }) => channel_id === channel);
    await expect.poll(has).toBe(true);
    const text = { user_id: room.park, type: "text" as const, content: "old", created_at: 1_700_000_000_000 };
    await admin.imports.messages(channel, [text]);
    await expect.poll(has).toBe(false);
    const [old] = await admin.messages.list(channel).toArray();
    await admin.messages.delete(channel, old?.message_id ?? "");
    // It has the time of joining again.
    await expect.poll(has).toBe(true);
  });

  describe("of more than a page counts what is unread exactly", () => {
    async function createChannels() {
      const room = await createRoom();
      const channels = [room.channelId];
      while (channels.length < 35) channels.push(await addChannel(room));
      const send = (channelId = "") =>
        admin.messages.send(channelId, { user_id: room.park, type: "text", content: "Hello" });
      for (const channelId of channels) await send(channelId);
      return { room, channels, send };
    }

    test("also after something was read on another device, or deleted, in a channel that is not loaded", async () => {
      const { room, channels } = await createChannels();
      const { inbox, store } = await openInbox(room.kim);
      await expect.poll(() => inbox.state.get().unreadCount).toBe(35);
      await expect.poll(() => store.connection.get().state).toBe("connected");
      await admin.channels.members.markRead(channels[0] ?? "", room.kim);
      await expect.poll(() => inbox.state.get().unreadCount).toBe(34);
      await admin.channels.delete(channels[1] ?? "");
      await expect.poll(() => inbox.state.get().unreadCount).toBe(33);
    });

    test("also when the count of the service crosses a mark and a message", async () => {
      const { room, channels, send } = await createChannels();
      const gate = new Gate();
      const held = gate.hold(/GET .*\/unread/);
      const { inbox, store } = await openInbox(room.kim, gate);
      await held.arrived;
      await expect.poll(() => store.connection.get().state).toBe("connected");
      await admin.channels.members.markRead(channels[34] ?? "", room.kim);
      await expect.poll(() => inbox.state.get().channels[0]?.unread_count).toBe(0);
      held.release();
      await expect.poll(() => inbox.state.get().unreadCount).toBe(34);
      const heldAgain = gate.hold(/GET .*\/unread/);
      // In a channel that is not loaded.
      await admin.channels.members.markRead(channels[0] ?? "", room.kim);
      await heldAgain.arrived;
      await send(channels[34]);
      await expect.poll(() => inbox.state.get().channels[0]?.unread_count).toBe(1);
      heldAgain.release();
      await expect.poll(() => inbox.state.get().unreadCount).toBe(34);
    });

    test("also while it changes all the time, and each response takes longer than a second", async () => {
      const { room, channels } = await createChannels();
      const ids = [];
      while (ids.length < 30) ids.push(await room.send("Hello"));
      // The other channels have the newest messages.
      for (const channelId of channels.slice(1))
        await admin.messages.send(channelId, { user_id: room.kim, type: "text", content: "Hello" });
      const gate = new Gate();
      gate.slow(/GET .*\/unread/, 1_500);
      const { inbox } = await openInbox(room.kim, gate);
      const counts: number[] = [];
      onTestFinished(inbox.state.subscribe(() => counts.push(inbox.state.get().unreadCount)));
      for (const id of ids) {
        await admin.messages.delete(room.channelId, id);
        await wait(200);
      }
      // Those of the channels that are loaded are 30.
      expect(Math.max(...counts)).toBeGreaterThan(35);
      await expect.poll(() => inbox.state.get().unreadCount).toBe(35);
    });

    test("and reads nothing for events that carry what they change", async () => {
      const { room, channels, send } = await createChannels();
      const { inbox, store, gate } = await openInbox(room.kim);
      await expect.poll(() => inbox.state.get().unreadCount).toBe(35);
      await expect.poll(() => store.connection.get().state).toBe("connected");
      // The total is read once in five seconds.
      const reads = /GET (?!.*\/unread)/;
      const before = gate.count(reads);
      for (let count = 0; count < 3; count++) {
        await send(channels[34]);
        await wait(500);
      }
      await expect.poll(() => inbox.state.get().unreadCount).toBe(38);
      await admin.channels.members.markRead(channels[34] ?? "", room.kim);
      await expect.poll(() => inbox.state.get().unreadCount).toBe(34);
      await wait(1_200);
      expect(gate.count(reads)).toBe(before);
    });
  });

  test("that could not be continued is read again", async () => {
    const room = await createRoom();
    for (let index = 0; index < 35; index++) await addChannel(room);
    const gate = new Gate();
    const { inbox } = await openInbox(room.kim, gate);
    const allow = gate.reject(/GET .*\/channels\?/, 403, "not_permitted");
    await inbox.loadMore();
    expect(inbox.state.get()).toMatchObject({ state: "failed", error: { code: "not_permitted" } });
    expect(inbox.state.get().channels).toHaveLength(30);
    allow();
    await inbox.loadMore();
    expect(inbox.state.get()).toMatchObject({ state: "ready", error: undefined, hasMore: true });
    await inbox.loadMore();
    expect(inbox.state.get().channels).toHaveLength(36);
  });

  test("a search finds the newest, more of them, and nothing of an older text", async () => {
    const room = await createRoom();
    for (let index = 0; index < 45; index++) await room.send(`lunch ${index}`);
    await room.send("dinner");
    const { store } = await openPage(room.kim);
    const search = new Search(store);
    const texts = () =>
      search.state.get().messages.map((message) => (message.type === "text" ? message.content : ""));
    search.search("dinner");
    search.search("lunch");
    await expect.poll(() => texts()[0]).toBe("lunch 44");
    expect(texts().length).toBeLessThanOrEqual(30);
    await loadAll(search);
    expect(texts()).toEqual(Array.from({ length: 45 }, (_, index) => `lunch ${44 - index}`));
    search.search("nothing of this");
    await expect.poll(() => search.state.get()).toMatchObject({ messages: [], isSearching: false });
    search.search("   ");
    expect(search.state.get()).toMatchObject({ messages: [], isSearching: false });
    search.cancel();
  });

  test("a search shows nothing that is deleted, or in a channel that its user has left", async () => {
    const room = await createRoom();
    const other = await addChannel(room);
    const id = await room.send("lunch one");
    await room.send("lunch two");
    await admin.messages.send(other, { user_id: room.park, type: "text", content: "lunch three" });
    const { store } = await openPage(room.kim);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const search = new Search(store);
    onTestFinished(() => search.cancel());
    const texts = () =>
      search.state.get().messages.map((message) => (message.type === "text" ? message.content : ""));
    search.search("lunch");
    await loadAll(search);
    expect(texts()).toEqual(["lunch three", "lunch two", "lunch one"]);
    await admin.messages.delete(room.channelId, id);
    await admin.channels.members.leave(other, room.kim);
    await expect.poll(texts).toEqual(["lunch two"]);
  });

  test("a search shows the text of an edit that came while it was under way", async () => {
    const room = await createRoom();
    const id = await room.send("lunch one");
    const gate = new Gate();
    const { store } = await openPage(room.kim, gate);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const search = new Search(store, room.channelId);
    onTestFinished(() => search.cancel());
    const edits: string[] = [];
    onTestFinished(store.feed.subscribe({ onEvent: ({ type }) => edits.push(type) }));
    const held = gate.hold(/GET .*\/search/);
    search.search("lunch");
    // The service has found the text of before.
    await held.arrived;
    await admin.messages.update(room.channelId, id, { content: "lunch two" });
    await expect.poll(() => edits).toContain("message.updated");
    held.release();
    const texts = () =>
      search.state.get().messages.map((message) => (message.type === "text" ? message.content : ""));
    await expect.poll(texts).toEqual(["lunch two"]);
  });

  test("a search shows nothing of a channel that was deleted while it was under way", async () => {
    const room = await createRoom();
    await room.send("lunch one");
    const gate = new Gate();
    const { store } = await openPage(room.kim, gate);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const search = new Search(store);
    onTestFinished(() => search.cancel());
    const seen: string[] = [];
    onTestFinished(store.feed.subscribe({ onEvent: ({ type }) => seen.push(type) }));
    const held = gate.hold(/GET .*\/search/);
    search.search("lunch");
    await held.arrived;
    await admin.channels.delete(room.channelId);
    await expect.poll(() => seen).toContain("channel.deleted");
    held.release();
    await expect.poll(() => search.state.get()).toMatchObject({ messages: [], isSearching: false });
    await wait(200);
    expect(search.state.get().messages).toEqual([]);
  });

  test("a search that could not be continued can be, later", async () => {
    const room = await createRoom();
    for (let index = 0; index < 35; index++) await room.send(`lunch ${index}`);
    const gate = new Gate();
    const { store } = await openPage(room.kim, gate);
    const search = new Search(store, room.channelId);
    search.search("lunch");
    await expect.poll(() => search.state.get()).toMatchObject({ isSearching: false, hasMore: true });
    const allow = gate.reject(/GET .*\/search/, 403, "not_permitted");
    await search.loadMore();
    expect(search.state.get()).toMatchObject({ error: { code: "not_permitted" }, hasMore: true });
    allow();
    await loadAll(search);
    expect(search.state.get().messages).toHaveLength(35);
  });
});

/** A page of results ends early if the search takes long, as on a busy machine. */
async function loadAll(search: Search): Promise<void> {
  await expect.poll(() => search.state.get().isSearching).toBe(false);
  while (search.state.get().hasMore) {
    await search.loadMore();
    expect(search.state.get().error).toBeUndefined();
  }
}

function summaryOf({
  channel_id,
  name,
  unread_count,
  mention_count,
  last_message,
}: Awaited<ReturnType<typeof admin.users.channels>> extends AsyncIterable<infer Line> ? Line : never) {
  const { message_id, type } = last_message ?? {};
  return { channel_id, name, unread_count, mention_count, message_id, type };
}
