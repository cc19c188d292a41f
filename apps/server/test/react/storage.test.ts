import { setTimeout as wait } from "node:timers/promises";
import type { ChatStorage } from "@madang/react/store";
import { expect, test } from "vitest";
import { Gate } from "../support/gate";
import { admin, createRoom, openPage, type Room, startSharedServer, textsOf } from "../support/react";

startSharedServer();

/** That of a device. */
class Device implements ChatStorage {
  readonly texts = new Map<string, string>();
  isFull = false;
  readonly get = async (name: string) => this.texts.get(name);
  readonly set = async (name: string, text: string) => {
    if (this.isFull) throw new Error("The quota is exceeded.");
    this.texts.set(name, text);
  };
  readonly remove = async (name: string) => void this.texts.delete(name);

  /** What it has of a user. */
  namesOf(userId: string): string[] {
    return [...this.texts.keys()].filter((name) => name.includes(`${userId} `));
  }
}

/** A page with an inbox and a conversation. */
async function start({ kim, channelId }: Room, storage: ChatStorage, gate = new Gate()) {
  const page = await openPage(kim, gate, { storage, userId: kim });
  const leaveInbox = page.store.inbox.connect();
  const conversation = page.store.conversation(channelId);
  const leave = conversation.connect();
  const close = () => {
    leave();
    leaveInbox();
    page.close();
  };
  return { ...page, conversation, inbox: page.store.inbox, close };
}

/** One that has read everything, and is closed. */
async function visit(room: Room, storage: ChatStorage): Promise<void> {
  const { conversation, inbox, store, close } = await start(room, storage);
  await expect.poll(() => conversation.state.get().state).toBe("ready");
  await expect.poll(() => inbox.state.get().state).toBe("ready");
  await expect.poll(() => store.connection.get().state).toBe("connected");
  await expect.poll(() => conversation.toSaved() !== undefined && inbox.toSaved() !== undefined).toBe(true);
  await expect.poll(() => store.blocks.toSaved()).toBeDefined();
  close();
  await wait(50);
}

const texts = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

test("a start without a connection shows what was there, at once, and then what has happened since, once", async () => {
  const room = await createRoom();
  const device = new Device();
  const before = texts(5, "before");
  for (const text of before) await room.send(text);
  await visit(room, device);
  const since = texts(40, "since");
  for (const text of since) await room.send(text);
  const gate = new Gate();
  const connect = gate.disconnect();
  const startedAt = performance.now();
  const { conversation, inbox } = await start(room, device, gate);
  await expect.poll(() => textsOf(conversation), { interval: 5 }).toEqual(before);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(inbox.state.get()).toMatchObject({ state: "ready", unreadCount: 5 });
  connect();
  await expect.poll(() => textsOf(conversation)).toEqual([...before, ...since]);
  await expect.poll(() => inbox.state.get().unreadCount).toBe(45);
  // It goes on with the feed, and reads neither again.
  expect(gate.count(/GET .*\/messages\?/)).toBe(0);
  expect(gate.count(/GET .*\/channels\?/)).toBe(0);
});

test("a start without a connection knows who is blocked, and what has changed since", async () => {
  const room = await createRoom();
  const device = new Device();
  await room.send("one");
  await admin.users.blocks.add(room.kim, room.park);
  await visit(room, device);
  const gate = new Gate();
  const connect = gate.disconnect();
  const { conversation, store } = await start(room, device, gate);
  const isBlocked = () => conversation.state.get().messages[0]?.isBlocked;
  await expect.poll(isBlocked, { interval: 5 }).toBe(true);
  await admin.users.blocks.remove(room.kim, room.park);
  connect();
  await expect.poll(isBlocked).toBe(false);
  await expect.poll(() => store.blocks.state.get().users).toEqual([]);
});

test("a position that is too old has everything read again", async () => {
  const room = await createRoom();
  const device = new Device();
  await room.send("one");
  await visit(room, device);
  await room.send("two");
  const gate = new Gate();
  const allow = gate.reject(/GET .*\/events\/stream/, 410, "events_expired");
  const { conversation } = await start(room, device, gate);
  await expect.poll(() => gate.count(/stream/)).toBeGreaterThan(0);
  allow();
  await expect.poll(() => textsOf(conversation)).toEqual(["one", "two"]);
});

test("another user of the device sees nothing, nor does a new one with the same id", async () => {
  const room = await createRoom();
  const device = new Device();
  await room.send("secret");
  await visit(room, device);
  const gate = new Gate();
  gate.disconnect();
  const other = await start({ ...room, kim: room.park }, device, gate);
  await wait(300);
  expect(textsOf(other.conversation)).toEqual([]);
  expect(other.inbox.state.get().channels).toEqual([]);
  other.close();
  await admin.users.delete(room.kim);
  await admin.users.create({ user_id: room.kim, name: "Another Kim" });
  const { conversation, inbox } = await start(room, device);
  await expect.poll(() => conversation.state.get().state).toBe("failed");
  expect(textsOf(conversation)).toEqual([]);
  await expect.poll(() => inbox.state.get()).toMatchObject({ state: "ready", channels: [] });
});

test("signing out, and leaving a channel, forget what belongs to it", async () => {
  const room = await createRoom();
  const device = new Device();
  await room.send("one");
  await visit(room, device);
  expect(device.namesOf(room.kim)).toHaveLength(3);
  const { store, conversation } = await start(room, device);
  await expect.poll(() => store.connection.get().state).toBe("connected");
  await admin.channels.members.leave(room.channelId, room.kim);
  await expect.poll(() => conversation.state.get().state).toBe("failed");
  await expect.poll(() => device.namesOf(room.kim).join()).not.toContain("conversation");
  await store.clear();
  expect(device.namesOf(room.kim)).toEqual([]);
});

test("ten messages that are not sent are stored once each, in their order, although the page is killed 20 times", async () => {
  const room = await createRoom();
  const device = new Device();
  await visit(room, device);
  const gate = new Gate();
  gate.disconnect();
  const first = await start(room, device, gate);
  const written = texts(10, "unsent");
  for (const content of written) first.conversation.send({ content });
  await expect.poll(() => device.namesOf(room.kim).join()).toContain("unsent");
  await wait(50);
  // A kill leaves what the device has at that moment, and nothing that comes later.
  let kept = new Map(device.texts);
  first.close();
  for (let kill = 0; kill < 20; kill++) {
    const storage = new Device();
    for (const [name, text] of kept) storage.texts.set(name, text);
    const unreliable = new Gate();
    if (kill % 3 === 0) unreliable.loseResponse(/POST .*\/messages/);
    const page = await start(room, storage, unreliable);
    await wait(kill * 15);
    kept = new Map(storage.texts);
    page.close();
  }
  const storage = new Device();
  for (const [name, text] of kept) storage.texts.set(name, text);
  const { conversation, store } = await start(room, storage);
  await expect.poll(() => textsOf(conversation)).toEqual(written);
  await expect.poll(() => store.outbox.unsent.get()).toEqual([]);
  await expect.poll(() => storage.namesOf(room.kim).join()).not.toContain("unsent");
  const stored = await admin.messages.list(room.channelId).toArray();
  expect(stored.map((message) => message.type === "text" && message.content).reverse()).toEqual(written);
});

test("two tabs that write at once lose and double nothing", async () => {
  const room = await createRoom();
  const device = new Device();
  const gates = [new Gate(), new Gate()];
  const connects = gates.map((gate) => gate.disconnect());
  const tabs = [await start(room, device, gates[0]), await start(room, device, gates[1])];
  for (let index = 0; index < 5; index++)
    for (const [tab, { conversation }] of tabs.entries()) conversation.send({ content: `${tab} ${index}` });
  await wait(300);
  const [name = ""] = device.namesOf(room.kim).filter((one) => one.includes("unsent"));
  expect(JSON.parse(device.texts.get(name) ?? "[]")).toHaveLength(10);
  for (const connect of connects) connect();
  for (const { store } of tabs) await expect.poll(() => store.outbox.unsent.get()).toEqual([]);
  const stored = await admin.messages.list(room.channelId).toArray();
  expect(stored).toHaveLength(10);
  await expect.poll(() => device.namesOf(room.kim).join()).not.toContain("unsent");
});

test("a storage that is full, or rejects everything, changes nothing else", async () => {
  const room = await createRoom();
  const full = new Device();
  full.isFull = true;
  const broken: ChatStorage = {
    get: () => Promise.reject(new Error("It is broken.")),
    set: () => Promise.reject(new Error("It is broken.")),
    remove: () => Promise.reject(new Error("It is broken.")),
  };
  for (const storage of [full, broken]) {
    const { conversation, close } = await start(room, storage);
    const content = `Hello ${storage === full}`;
    conversation.send({ content });
    await expect.poll(() => textsOf(conversation)).toContain(content);
    close();
  }
  expect(await admin.messages.list(room.channelId).toArray()).toHaveLength(2);
});
