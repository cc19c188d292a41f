import { Conversation } from "@madang/react/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { Gate } from "../support/gate";
import {
  admin,
  createRoom,
  importMessages,
  openConversation,
  openPage,
  startSharedServer,
  textsOf,
} from "../support/react";

startSharedServer();

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}`);

describe("the history of a channel", () => {
  test("grows at both ends, drops what is far away, and leaves no gap", async () => {
    const room = await createRoom();
    await importMessages(room, 500);
    await importMessages(room, 500, Date.now() - 40_000_000).catch(() => undefined);
    const { conversation } = await openConversation(room);
    const all = (await admin.messages.list(room.channelId, { pageSize: 100 }).toArray()).reverse();
    const ids = all.map(({ message_id }) => message_id);
    const shown = () => conversation.state.get().messages.map(({ message }) => message.message_id);
    expect(shown()).toEqual(ids.slice(-50));
    while (conversation.state.get().hasOlder) await conversation.loadOlder();
    expect(shown()).toEqual(ids.slice(0, 400));
    expect(conversation.state.get().hasNewer).toBe(true);
    // Both at once: the end from which the other continues must not be dropped meanwhile.
    await Promise.all([conversation.loadNewer(), conversation.loadOlder()]);
    while (conversation.state.get().hasNewer) await conversation.loadNewer();
    expect(shown()).toEqual(ids.slice(-400));
  });

  test("opens around a message, at a time, and for what is no id at its end", async () => {
    const room = await createRoom();
    const since = Date.parse("2026-11-01T00:00:00Z");
    await importMessages(room, 300, since);
    const messages = (await admin.messages.list(room.channelId, { pageSize: 100 }).toArray()).reverse();
    const { conversation } = await openConversation(room, { around: messages[150]?.message_id ?? "" });
    const target = () => {
      const { position, messages } = conversation.state.get();
      const found = messages.find(({ key }) => key === position)?.message;
      return found?.type === "text" ? found.content : undefined;
    };
    expect(target()).toBe("151");
    expect(conversation.state.get()).toMatchObject({ hasOlder: true, hasNewer: true });
    await conversation.open(since + 99_500);
    expect(target()).toBe("101");
    await conversation.open(since + 86_400_000);
    expect(target()).toBe("300");
    // A deleted message still has its position.
    await admin.messages.delete(room.channelId, messages[200]?.message_id ?? "");
    await conversation.open(messages[200]?.message_id);
    expect(target()).toBe("200");
    await conversation.open("nonsense");
    expect(textsOf(conversation).at(-1)).toBe("300");
    expect(conversation.state.get()).toMatchObject({ position: undefined, hasNewer: false });
  });

  test("what is sent, edited and deleted while a list is on its way is shown once, and as it is", async () => {
    const room = await createRoom();
    const ids = [];
    for (const content of ["stays", "goes", "was so"]) ids.push(await room.send(content));
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const held = gate.hold(/GET .*\/messages\?limit=50/);
    const opened = conversation.open();
    await held.arrived;
    await room.send("is new");
    await admin.messages.delete(room.channelId, ids[1] ?? "");
    await admin.messages.update(room.channelId, ids[2] ?? "", { content: "is so" });
    const seen = await admin.events.list({ channel_id: room.channelId, wait: 5 });
    expect(seen.events.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    held.release();
    await opened;
    await expect.poll(() => textsOf(conversation)).toEqual(["stays", "deleted", "is so", "is new"]);
  });

  test("new messages do not follow a gap, and come with the pages", async () => {
    const room = await createRoom();
    await importMessages(room, 200);
    const [first] = (await admin.messages.list(room.channelId, { pageSize: 100 }).toArray()).slice(-60);
    const { conversation } = await openConversation(room, { around: first?.message_id ?? "" });
    await room.send("after the gap");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(textsOf(conversation)).not.toContain("after the gap");
    while (conversation.state.get().hasNewer) await conversation.loadNewer();
    const texts = textsOf(conversation);
    expect(texts).toEqual([...range(Number(texts[0]), 200), "after the gap"]);
    await room.send("live");
    await expect.poll(() => textsOf(conversation).at(-1)).toBe("live");
  });

  test("a message that was deleted is quoted nowhere, and one further up is read for its reply", async () => {
    const room = await createRoom();
    const question = await room.send("Something private");
    for (let index = 0; index < 60; index++) await room.send(`${index}`);
    const reply = { user_id: room.kim, type: "text", content: "Yes", reply_to: question } as const;
    await admin.messages.send(room.channelId, reply);
    const { conversation } = await openConversation(room);
    const quote = () => conversation.state.get().messages.at(-1)?.quote;
    await expect.poll(quote).toMatchObject({ content: "Something private" });
    await admin.messages.delete(room.channelId, question);
    await expect.poll(quote).toBe("deleted");
  });

  test("a message has the number of its replies, also after one more, and one less", async () => {
    const room = await createRoom();
    const reply_to = await room.send("Noon?");
    const { conversation, store } = await openConversation(room);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const reply = { user_id: room.park, type: "text", content: "Yes", reply_to } as const;
    const replyCount = () => conversation.state.get().messages[0]?.message.reply_count;
    const { message_id } = await admin.messages.send(room.channelId, reply);
    await admin.messages.send(room.channelId, reply);
    await expect.poll(replyCount).toBe(2);
    await admin.messages.delete(room.channelId, message_id);
    await expect.poll(replyCount).toBe(1);
  });

  test("a reaction counts once, whether its event comes before or after the message, and says whose it is", async () => {
    const room = await createRoom();
    const id = await room.send("Noon?");
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const held = gate.hold(/GET .*\/messages\?limit=50/);
    const opened = conversation.open();
    await admin.messages.reactions.add(room.channelId, id, "👍", room.park);
    held.release();
    await opened;
    const shown = () => conversation.state.get().messages[0];
    await expect.poll(() => shown()?.message.reactions).toEqual([{ reaction: "👍", count: 1, own: false }]);
    const first = shown();
    if (first) await conversation.react(first, "👍");
    // At once, before an event or a response.
    expect(shown()?.message.reactions).toEqual([{ reaction: "👍", count: 2, own: true }]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(shown()?.message.reactions).toEqual([{ reaction: "👍", count: 2, own: true }]);
    const second = shown();
    if (second) await conversation.react(second, "👍");
    expect(shown()?.message.reactions).toEqual([{ reaction: "👍", count: 1, own: false }]);
  });

  test("a pin stays when reactions that were read before it arrive", async () => {
    const room = await createRoom();
    const id = await room.send("Noon?");
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const shown = () => conversation.state.get().messages[0]?.message;
    const held = gate.hold(/GET .*message_ids=/);
    await admin.messages.reactions.add(room.channelId, id, "👍", room.park);
    await held.arrived;
    await admin.messages.pin(room.channelId, id);
    await room.send("The event of this message comes after that of the pin.");
    held.release();
    await expect.poll(() => shown()?.reactions).toHaveLength(1);
    await expect.poll(() => shown()?.pinned_at).toBeDefined();
  });

  test("a reaction that is added and removed again at once is removed, and shown so all the time", async () => {
    const room = await createRoom();
    const id = await room.send("Noon?");
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const toggle = async () => {
      const [shown] = conversation.state.get().messages;
      if (shown) await conversation.react(shown, "👍");
    };
    const added = gate.delay(/PUT .*\/reactions\//);
    const removed = gate.delay(/DELETE .*\/reactions\//);
    const done = [toggle()];
    await added.arrived;
    done.push(toggle());
    const seen = new Set<number | undefined>();
    conversation.state.subscribe(() =>
      seen.add(conversation.state.get().messages[0]?.message.reactions?.length),
    );
    // Before, the removal would have been sent by now.
    await new Promise((resolve) => setTimeout(resolve, 300));
    added.release();
    await removed.arrived;
    // The event of the first change is here.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    removed.release();
    await Promise.all(done);
    expect((await admin.messages.get(room.channelId, id)).reactions).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect([...seen]).not.toContain(1);
  });

  test("reactions that are read first and arrive last replace no newer ones", async () => {
    const room = await createRoom();
    const ids = [await room.send("Noon?"), await room.send("Or one?")];
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const react = (id = "", reaction = "👍") =>
      admin.messages.reactions.add(room.channelId, id, reaction, room.park);
    const reactions = () => conversation.state.get().messages[0]?.message.reactions?.length;
    const held = gate.hold(new RegExp(`GET .*message_ids=${ids[0]}(&|$)`));
    await react(ids[0]);
    await held.arrived;
    // The next request asks for both.
    await react(ids[1]);
    await react(ids[0], "🎉");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    held.release();
    await expect.poll(reactions).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(reactions()).toBe(2);
  });

  test("reactions are shown while more of them arrive than can be read", async () => {
    const room = await createRoom();
    const id = await room.send("Noon?");
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const reactions = () => conversation.state.get().messages[0]?.message.reactions?.length;
    const first = gate.hold(/GET .*message_ids=/);
    await admin.messages.reactions.add(room.channelId, id, "👍", room.park);
    await first.arrived;
    await admin.messages.reactions.add(room.channelId, id, "🎉", room.park);
    // The event of the second one is here.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const second = gate.delay(/GET .*message_ids=/);
    first.release();
    await second.arrived;
    expect(reactions()).toBe(1);
    second.release();
    await expect.poll(reactions).toBe(2);
  });

  test("an own reaction stays when what was read before it arrives", async () => {
    const room = await createRoom();
    const id = await room.send("Noon?");
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const held = gate.hold(/GET .*message_ids=/);
    await admin.messages.reactions.add(room.channelId, id, "🎉", room.park);
    await held.arrived;
    const shown = () => conversation.state.get().messages[0];
    const first = shown();
    if (first) await conversation.react(first, "👍");
    const seen = new Set<boolean | undefined>();
    conversation.state.subscribe(() => seen.add(shown()?.message.reactions?.some(({ own }) => own)));
    held.release();
    await expect.poll(() => shown()?.message.reactions).toHaveLength(2);
    expect([...seen]).toEqual([true]);
  });

  test("a reaction is sent and read while one to another message is on its way", async () => {
    const room = await createRoom();
    for (const content of ["Noon?", "Or one?"]) await room.send(content);
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const [slow, other] = conversation.state.get().messages;
    if (slow === undefined || other === undefined) throw new Error("There are two messages.");
    const held = gate.delay(new RegExp(`PUT .*/${slow.key}/reactions/`));
    const done = conversation.react(slow, "👍");
    await held.arrived;
    void conversation.react(other, "👍");
    await admin.messages.reactions.add(room.channelId, other.key, "👍", room.park);
    const reactions = () => conversation.state.get().messages[1]?.message.reactions;
    await expect.poll(reactions).toEqual([{ reaction: "👍", count: 2, own: true }]);
    held.release();
    await done;
  });

  test("two pages that receive 100 messages and 100 reactions send fewer requests than that", async () => {
    const room = await createRoom();
    const id = await room.send("React");
    const gates = [new Gate(), new Gate()];
    const pages = await Promise.all(
      [room.kim, room.park].map((as, index) =>
        openConversation(room, { as, gate: gates[index] ?? new Gate() }),
      ),
    );
    for (const { store } of pages) store.inbox.connect();
    await expect.poll(() => pages.every(({ store }) => store.inbox.state.get().state === "ready")).toBe(true);
    const before = gates.map(({ sent }) => sent.length);
    for (let number = 1; number <= 100; number++) {
      await room.send(`${number}`);
      const change = number % 2 === 1 ? admin.messages.reactions.add : admin.messages.reactions.remove;
      await change.call(admin.messages.reactions, room.channelId, id, "👍", room.park);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const { conversation } of pages)
      await expect.poll(() => textsOf(conversation)).toEqual(["React", ...range(1, 100)]);
    const requests = gates.map(({ sent }, index) => sent.length - (before[index] ?? 0));
    // One each second for the reactions.
    for (const sent of requests) expect(sent).toBeLessThan(20);
  });

  test("what is sent while imported messages are read is shown once, and in its place", async () => {
    const room = await createRoom();
    await importMessages(room, 1);
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const held = gate.delay(/GET .*after=/);
    await importMessages(room, 120, Date.now() - 1_000_000);
    await held.arrived;
    conversation.send({ content: "sent" });
    await expect.poll(() => textsOf(conversation)).toEqual(["1", "sent"]);
    held.release();
    while (conversation.state.get().messages.length < 122) await conversation.loadNewer();
    expect(textsOf(conversation)).toEqual(["1", ...range(1, 120), "sent"]);
  });

  test("nothing is missing after imported messages could only be read in part", async () => {
    const room = await createRoom();
    await importMessages(room, 1);
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const held = gate.delay(/GET .*after=/);
    // A page has at most 1 MiB, so each of these is on several.
    const large = range(1, 40).map((number) => number.padEnd(50_000, "."));
    const messages = large.map((content, index) => ({
      user_id: room.park,
      type: "text" as const,
      content,
      created_at: Date.now() - 1_000_000 + index,
    }));
    await admin.imports.messages(room.channelId, messages);
    await held.arrived;
    conversation.send({ content: "sent" });
    await expect.poll(() => textsOf(conversation)).toEqual(["1", "sent"]);
    const [first] = conversation.state.get().messages;
    const accept = gate.reject(new RegExp(`GET .*after=(?!${first?.key})`), 403, "not_permitted");
    held.release();
    await expect.poll(() => conversation.state.get().error).toMatchObject({ code: "not_permitted" });
    await room.send("live");
    accept();
    conversation.reload();
    await expect.poll(() => conversation.state.get().error).toBeUndefined();
    while (conversation.state.get().hasNewer) await conversation.loadNewer();
    const texts = () => textsOf(conversation).map((text) => text.replaceAll(".", ""));
    await expect.poll(texts).toEqual(["1", ...range(1, 40), "sent", "live"]);
  });

  test("imported messages that are older are shown in their places", async () => {
    const room = await createRoom();
    const since = Date.now() - 100_000;
    await importMessages(room, 2, since);
    const { conversation, store } = await openConversation(room);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    const text = (content: string, created_at: number) =>
      ({ user_id: room.park, type: "text", content, created_at }) as const;
    await admin.imports.messages(room.channelId, [text("between", since + 500), text("first", since - 500)]);
    await expect.poll(() => textsOf(conversation)).toEqual(["1", "between", "2"]);
    await conversation.loadOlder();
    expect(textsOf(conversation)).toEqual(["first", "1", "between", "2"]);
  });

  test("messages that are imported into an empty channel are all shown", async () => {
    const room = await createRoom();
    const { conversation } = await openConversation(room);
    await importMessages(room, 120);
    await expect.poll(() => textsOf(conversation).at(-1)).toBe("120");
    while (conversation.state.get().hasOlder) await conversation.loadOlder();
    expect(textsOf(conversation)).toEqual(range(1, 120));
  });

  test("what could not be loaded is an error until it is there", async () => {
    const room = await createRoom();
    await importMessages(room, 120);
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const accept = gate.reject(/GET .*before=/, 403, "not_permitted");
    await conversation.loadOlder();
    expect(conversation.state.get().error).toMatchObject({ code: "not_permitted" });
    await room.send("live");
    await expect.poll(() => textsOf(conversation).at(-1)).toBe("live");
    accept();
    conversation.reload();
    await expect.poll(() => conversation.state.get().error).toBeUndefined();
    expect(textsOf(conversation)).toEqual([...range(21, 120), "live"]);
  });

  test.each(["events_expired", "invalid_cursor"])("after %s, everything is read again", async (code) => {
    const room = await createRoom();
    await room.send("before");
    const gate = new Gate();
    const { conversation, store } = await openConversation(room, { gate });
    const accept = gate.reject(/GET .*\/events\/stream/, 410, code);
    gate.disconnect()();
    await room.send("missed");
    await expect.poll(() => textsOf(conversation)).toEqual(["before", "missed"]);
    accept();
    await expect.poll(() => store.connection.get().state).toBe("connected");
    await room.send("live");
    await expect.poll(() => textsOf(conversation)).toEqual(["before", "missed", "live"]);
  });

  test("a connection that is rejected has failed until it is tried again, and then nothing is missing", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const accept = gate.reject(/GET .*\/events\/stream/, 403, "not_permitted");
    const { conversation, store } = await openConversation(room, { gate });
    await expect
      .poll(() => store.connection.get())
      .toMatchObject({ state: "failed", error: { code: "not_permitted" } });
    await room.send("missed");
    accept();
    store.retry();
    await expect.poll(() => textsOf(conversation)).toEqual(["missed"]);
    await room.send("live");
    await expect.poll(() => textsOf(conversation)).toEqual(["missed", "live"]);
  });

  test("what happens while a page has no connection of its own is read when it has one again", async () => {
    const room = await createRoom();
    const { conversation, store, close } = await openConversation(room);
    onTestFinished(store.inbox.connect());
    await expect.poll(() => store.inbox.state.get().channels).toHaveLength(1);
    close();
    await room.send("missed");
    onTestFinished(store.connect());
    await expect.poll(() => textsOf(conversation)).toEqual(["missed"]);
    await expect.poll(() => store.inbox.state.get().unreadCount).toBe(1);
  });

  test("what is opened while a page has no connection is read once, and where it was opened", async () => {
    const room = await createRoom();
    await importMessages(room, 200);
    const messages = await admin.messages.list(room.channelId, { pageSize: 100 }).toArray();
    const around = messages[100]?.message_id;
    const { store, gate, close } = await openPage(room.kim);
    await expect.poll(() => store.connection.get().state).toBe("connected");
    close();
    const conversation = new Conversation(store, room.channelId);
    for (const stop of [conversation.connect(around), store.connect()]) onTestFinished(stop);
    await expect.poll(() => conversation.state.get().state).toBe("ready");
    await room.send("live");
    await expect.poll(() => gate.count(/stream/)).toBe(2);
    expect(gate.sent.filter((name) => /GET .*\/messages\?/.test(name))).toHaveLength(1);
    expect(conversation.state.get()).toMatchObject({ position: around, hasNewer: true });
  });

  test("what could not be opened when events were missed is opened where it should have been", async () => {
    const room = await createRoom();
    await importMessages(room, 200);
    const messages = await admin.messages.list(room.channelId, { pageSize: 100 }).toArray();
    const around = messages[100]?.message_id;
    const gate = new Gate();
    const accept = [/GET .*\/events\/stream/, /GET .*\/messages/].map((pattern) =>
      gate.reject(pattern, 403, "not_permitted"),
    );
    const { store } = await openPage(room.kim, gate);
    const conversation = new Conversation(store, room.channelId);
    onTestFinished(conversation.connect(around));
    await expect.poll(() => conversation.state.get().state).toBe("failed");
    await expect.poll(() => store.connection.get().state).toBe("failed");
    for (const end of accept) end();
    store.retry();
    await expect.poll(() => conversation.state.get().state).toBe("ready");
    expect(conversation.state.get()).toMatchObject({ position: around, hasNewer: true });
  });

  test("an answer grows while it is written, and goes on after the connection was lost", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const writer = await admin.messages.stream(room.channelId, { user_id: room.park, type: "text" });
    await writer.append("One");
    await expect.poll(() => textsOf(conversation)).toEqual(["One"]);
    const connect = gate.disconnect();
    await writer.append(" two");
    connect();
    await writer.append(" three");
    await expect.poll(() => textsOf(conversation)).toEqual(["One two three"]);
    await writer.finish();
    await expect.poll(() => conversation.state.get().messages[0]?.message).not.toHaveProperty("state");
    expect(textsOf(conversation)).toEqual(["One two three"]);
  });
});
