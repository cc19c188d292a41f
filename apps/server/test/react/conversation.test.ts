import { setTimeout as wait } from "node:timers/promises";
import { Conversation } from "@madang/react/store";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Gate } from "../support/gate";
import { admin, createRoom, openConversation, openPage, startSharedServer, textsOf } from "../support/react";

startSharedServer();

/** The storage of a tab. */
function stubSessionStorage() {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return stored;
}

describe("what a user writes", () => {
  test("is shown at once, and becomes the stored message in its place: never both, never none", async () => {
    const room = await createRoom();
    const { conversation } = await openConversation(room);
    const seen: string[][] = [];
    conversation.state.subscribe(() => seen.push(textsOf(conversation)));
    conversation.send({ content: "Hello" });
    expect(textsOf(conversation)).toEqual(["Hello (sending)"]);
    const key = conversation.state.get().messages[0]?.key;
    await expect.poll(() => textsOf(conversation)).toEqual(["Hello"]);
    await room.send("Hi");
    await expect.poll(() => textsOf(conversation)).toEqual(["Hello", "Hi"]);
    expect(conversation.state.get().messages[0]).toMatchObject({ key, isOwn: true, status: "sent" });
    for (const texts of seen) expect(texts.filter((text) => text.startsWith("Hello"))).toHaveLength(1);
  });

  test("while nothing can be reached is sent afterwards, in its order, each once", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const connect = gate.disconnect();
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
    for (const content of texts) conversation.send({ content });
    await wait(1_500);
    expect(textsOf(conversation)).toEqual(texts.map((text) => `${text} (sending)`));
    connect();
    await expect.poll(() => textsOf(conversation)).toEqual(texts);
    const stored = await admin.messages.list(room.channelId).toArray();
    expect(stored.map((message) => message.type === "text" && message.content).reverse()).toEqual(texts);
  });

  test("and whose response is lost is stored once", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    gate.loseResponse(/POST .*\/messages/);
    conversation.send({ content: "Once" });
    await expect.poll(() => textsOf(conversation)).toEqual(["Once"]);
    expect(await admin.messages.list(room.channelId).toArray()).toHaveLength(1);
  });

  test("and is deleted before its response is there stays deleted", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const held = gate.hold(/POST .*\/messages/);
    const events = gate.hold(/GET .*\/events\/stream/);
    gate.disconnect()();
    conversation.send({ content: "Gone" });
    await held.arrived;
    const [message] = await admin.messages.list(room.channelId).toArray();
    await admin.messages.delete(room.channelId, message?.message_id ?? "");
    // By now the event of the message has no message any more.
    events.release();
    await room.send("later");
    await expect.poll(() => textsOf(conversation)).toContain("later");
    held.release();
    await expect.poll(() => textsOf(conversation)).toEqual(["deleted", "later"]);
  });

  test("and is deleted before a reload stays deleted, although it is sent again", async () => {
    stubSessionStorage();
    const room = await createRoom();
    const gate = new Gate();
    const { conversation, leave, close } = await openConversation(room, { gate });
    const lost = gate.hold(/POST .*\/messages/);
    conversation.send({ content: "Rude" });
    await lost.arrived;
    leave();
    close();
    const [message] = await admin.messages.list(room.channelId).toArray();
    await admin.messages.delete(room.channelId, message?.message_id ?? "");
    const { conversation: reloaded, store } = await openConversation(room);
    await expect.poll(() => store.outbox.unsent.get()).toEqual([]);
    expect(textsOf(reloaded)).toEqual(["deleted"]);
    expect(await admin.messages.list(room.channelId).toArray()).toEqual([]);
    lost.release();
  });

  test("and is deleted before a reloaded page gets events stays deleted, although it was read before", async () => {
    stubSessionStorage();
    const room = await createRoom();
    const gate = new Gate();
    const { conversation, leave, close } = await openConversation(room, { gate });
    const lost = gate.hold(/POST .*\/messages/);
    conversation.send({ content: "Hello" });
    await lost.arrived;
    leave();
    close();
    const again = new Gate();
    const events = again.delay(/GET \/v1\/events\?/);
    const read = again.hold(/GET .*external_ids=/);
    const { store } = await openPage(room.kim, again);
    await expect.poll(() => again.count(/POST .*\/messages/)).toBeGreaterThan(0);
    await wait(500);
    const [sent] = await admin.messages.list(room.channelId).toArray();
    await admin.messages.delete(room.channelId, sent?.message_id ?? "");
    events.release();
    const reloaded = store.conversation(room.channelId);
    onTestFinished(reloaded.connect());
    await expect.poll(() => reloaded.state.get().state).toBe("ready");
    await read.arrived;
    read.release();
    await expect.poll(() => store.outbox.unsent.get()).toEqual([]);
    await wait(200);
    expect(textsOf(reloaded).filter((text) => text !== "deleted")).toEqual([]);
    lost.release();
  });

  test("is shown after a reload, also while the service cannot be reached", async () => {
    stubSessionStorage();
    const room = await createRoom();
    const gate = new Gate();
    const { conversation, store, leave, close } = await openConversation(room, { gate });
    const user = store.user.get();
    gate.disconnect();
    conversation.send({ content: "Later" });
    leave();
    close();
    // No page is reloaded before what it has begun to keep is kept.
    await wait(0);
    const down = new Gate();
    const connect = down.disconnect();
    const { store: again } = await openPage(room.kim, down, { user });
    const reloaded = new Conversation(again, room.channelId);
    onTestFinished(reloaded.connect());
    await expect.poll(() => textsOf(reloaded)).toEqual(["Later (sending)"]);
    connect();
    await expect.poll(() => textsOf(reloaded)).toEqual(["Later"]);
  });

  test("on a page without HTTPS, where there is no `crypto.randomUUID`, is sent and marked as read", async () => {
    const room = await createRoom();
    await room.send("Noon?");
    const { conversation, store } = await openConversation(room);
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    onTestFinished(() => void vi.unstubAllGlobals());
    conversation.send({ content: "Yes" });
    conversation.markRead();
    await expect.poll(() => textsOf(conversation)).toEqual(["Noon?", "Yes"]);
    await expect.poll(async () => (await store.chat.users.unread(room.kim)).unread_count).toBe(0);
  });

  test("is sent as the application sends it, and has failed with what that throws", async () => {
    const room = await createRoom();
    const rejected = new Error("Not in this tone.");
    const { conversation } = await openConversation(room, {
      async send(channelId, message, options) {
        if (message.type === "text" && message.content?.includes("!")) throw rejected;
        return admin.messages.send(channelId, message, { idempotencyKey: options?.idempotencyKey });
      },
    });
    for (const content of ["Now!", "Please"]) conversation.send({ content });
    await expect.poll(() => textsOf(conversation)).toEqual(["Please", "Now! (failed)"]);
    const { error } = conversation.state.get().messages.at(-1) ?? {};
    expect(error).toEqual({ text: "Not in this tone.", canRetry: true, cause: rejected });
    expect(await admin.messages.list(room.channelId).toArray()).toHaveLength(1);
  });

  test("and is rejected has failed, stays, and can be sent again or discarded", async () => {
    const room = await createRoom();
    const { conversation } = await openConversation(room);
    await admin.channels.members.mute(room.channelId, room.kim);
    conversation.send({ content: "Too loud" });
    conversation.send({ content: "Again" });
    await expect.poll(() => textsOf(conversation)).toEqual(["Too loud (failed)", "Again (failed)"]);
    const [first, second] = conversation.state.get().messages;
    expect(first?.error).toMatchObject({ code: "member_muted", canRetry: true });
    await admin.channels.members.unmute(room.channelId, room.kim);
    if (first) conversation.retry(first);
    if (second) conversation.discard(second);
    await expect.poll(() => textsOf(conversation)).toEqual(["Too loud"]);
  });

  test("before a reload is sent after it, once, and not by another user of the tab", async () => {
    const stored = stubSessionStorage();
    const room = await createRoom();
    const gate = new Gate();
    const { conversation, leave, close } = await openConversation(room, { gate });
    // Stored, but the page does not know.
    const lost = gate.hold(/POST .*\/messages/);
    conversation.send({ content: "first" });
    await lost.arrived;
    conversation.send({ content: "second" });
    leave();
    close();
    expect(stored.size).toBe(1);
    const { conversation: parks } = await openConversation(room, { as: room.park });
    await expect.poll(() => textsOf(parks)).toEqual(["first"]);
    await wait(300);
    expect(textsOf(parks)).toEqual(["first"]);
    const { conversation: reloaded } = await openConversation(room);
    await expect.poll(() => textsOf(reloaded)).toEqual(["first", "second"]);
    // The event of the second one may come before the response to its request.
    await expect.poll(() => stored.size).toBe(0);
    lost.release();
  });

  test("is sent by one loop, also when the connection is tried again meanwhile", async () => {
    const room = await createRoom();
    const gate = new Gate();
    gate.reject(/GET .*\/events\/stream/, 403, "not_permitted");
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("failed");
    const held = gate.hold(/POST .*\/messages/);
    for (const content of ["first", "second"]) conversation.send({ content });
    await held.arrived;
    store.retry();
    await expect.poll(() => store.connection.get().state).toBe("failed");
    expect(gate.count(/POST .*\/messages/)).toBe(1);
    held.release();
    await expect.poll(() => textsOf(conversation)).toEqual(["first", "second"]);
  });

  test("and edits stays when a page that was read before arrives later, without a connection for events", async () => {
    const room = await createRoom();
    const gate = new Gate();
    gate.reject(/GET .*\/events\/stream/, 403, "not_permitted");
    const { conversation, store } = await openConversation(room, { gate });
    await expect.poll(() => store.connection.get().state).toBe("failed");
    const openBeside = async (change: () => Promise<void>) => {
      const page = gate.hold(/GET .*\/messages\?/);
      const opened = conversation.open();
      await page.arrived;
      await change();
      page.release();
      await opened;
      await wait(100);
    };
    const listSent = () => conversation.state.get().messages.filter(({ status }) => status === "sent");
    await openBeside(async () => {
      conversation.send({ content: "mine" });
      await expect.poll(listSent).toHaveLength(1);
    });
    expect(textsOf(conversation)).toEqual(["mine"]);
    await openBeside(async () => {
      const [sent] = listSent();
      if (sent) await conversation.edit(sent, "mine, edited");
    });
    expect(textsOf(conversation)).toEqual(["mine, edited"]);
  });

  test("stands below the newest messages, also when the reader is further up", async () => {
    const room = await createRoom();
    const first = await room.send("0");
    for (let index = 1; index < 80; index++) await room.send(`${index}`);
    const { conversation } = await openConversation(room, { around: first });
    expect(conversation.state.get().hasNewer).toBe(true);
    conversation.send({ content: "mine" });
    await expect.poll(() => textsOf(conversation).slice(-2)).toEqual(["79", "mine"]);
  });

  test("may have files, whose progress is shown; a reload loses those that were not uploaded", async () => {
    stubSessionStorage();
    const room = await createRoom();
    const gate = new Gate();
    const { conversation, leave, close } = await openConversation(room, { gate });
    const file = new File([new Uint8Array(300_000)], "map.png", { type: "image/png" });
    const progress: (number | undefined)[] = [];
    conversation.state.subscribe(() => progress.push(conversation.state.get().messages.at(-1)?.progress));
    conversation.send({ content: "Here", files: [file] });
    expect(conversation.state.get().messages[0]?.message).toMatchObject({
      attachments: [{ name: "map.png", size: 300_000 }],
    });
    await expect.poll(() => textsOf(conversation)).toEqual(["Here"]);
    const [shown] = conversation.state.get().messages;
    const url = shown?.message.type === "text" ? shown.message.attachments?.[0]?.url : undefined;
    expect((await (await fetch(url ?? "")).arrayBuffer()).byteLength).toBe(300_000);
    expect(progress).toContain(1);
    gate.disconnect();
    conversation.send({ content: "Later", files: [file] });
    leave();
    close();
    const { conversation: reloaded } = await openConversation(room);
    await expect.poll(() => textsOf(reloaded)).toEqual(["Here", "Later (failed)"]);
    const failed = reloaded.state.get().messages.at(-1);
    if (failed) reloaded.retry(failed);
    await wait(300);
    expect(textsOf(reloaded)).toEqual(["Here", "Later (failed)"]);
    expect(reloaded.state.get().messages.at(-1)?.error).toEqual({
      code: "files_lost",
      text: "The page was loaded again before the files were uploaded.",
      canRetry: false,
    });
    if (failed) reloaded.discard(failed);
    expect(textsOf(reloaded)).toEqual(["Here"]);
  });

  test("and edits keeps its own reactions", async () => {
    const room = await createRoom();
    const { conversation } = await openConversation(room);
    conversation.send({ content: "Noon?" });
    const shown = () => conversation.state.get().messages[0];
    await expect.poll(() => shown()?.status).toBe("sent");
    const sent = shown();
    if (!sent) throw new Error("It is shown.");
    await conversation.react(sent, "👍");
    const own = [{ reaction: "👍", count: 1, own: true }];
    await expect.poll(() => shown()?.message.reactions).toEqual(own);
    await conversation.edit(sent, "One?");
    expect(textsOf(conversation)).toEqual(["One?"]);
    expect(shown()?.message.reactions).toEqual(own);
  });

  test("and is not stored yet takes no reaction, and those to other messages are shown", async () => {
    const room = await createRoom();
    const id = await room.send("Hi");
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    const held = gate.delay(/POST .*\/messages/);
    conversation.send({ content: "Hello" });
    const [first, unsent] = conversation.state.get().messages;
    if (unsent) await expect(conversation.react(unsent, "👍")).rejects.toMatchObject({ kind: "validation" });
    held.release();
    await admin.messages.reactions.add(room.channelId, id, "👍", room.park);
    await expect
      .poll(() => conversation.state.get().messages[0])
      .toMatchObject({ key: first?.key, message: { reactions: [{ reaction: "👍", count: 1 }] } });
  });

  test("and is edited by two at once shows the later edit, whichever response comes last", async () => {
    const room = await createRoom();
    const gate = new Gate();
    const { conversation } = await openConversation(room, { gate });
    conversation.send({ content: "Noon?" });
    await expect.poll(() => textsOf(conversation)).toEqual(["Noon?"]);
    const [shown] = conversation.state.get().messages;
    if (!shown) throw new Error("It is shown.");
    const held = gate.hold(/PUT .*\/messages/);
    const edited = conversation.edit(shown, "One?");
    await held.arrived;
    await admin.messages.update(room.channelId, shown.message.message_id, { content: "Two?" });
    await expect.poll(() => textsOf(conversation)).toEqual(["Two?"]);
    held.release();
    await edited;
    expect(textsOf(conversation)).toEqual(["Two?"]);
  });

  test("can be edited, unless somebody else has changed it, and deleted", async () => {
    const room = await createRoom();
    const { conversation } = await openConversation(room);
    conversation.send({ content: "Noon?" });
    await expect.poll(() => textsOf(conversation)).toEqual(["Noon?"]);
    const [shown] = conversation.state.get().messages;
    if (!shown) throw new Error("It is shown.");
    await conversation.edit(shown, "One?");
    expect(textsOf(conversation)).toEqual(["One?"]);
    await expect(conversation.edit(shown, "Two?")).rejects.toMatchObject({ code: "message_changed" });
    await conversation.remove(shown);
    expect(textsOf(conversation)).toEqual(["deleted"]);
  });
});
