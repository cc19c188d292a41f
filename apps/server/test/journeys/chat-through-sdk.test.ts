import { type Message, NotFoundError, PermissionError } from "@madang/client";
import { afterAll, beforeEach, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { startServer } from "../support/server";

let clock = 1_700_000_000_000;
let rooms = 0;
let room: string;
let ids: string[];
// All messages of a test have one time, so that only their order of arrival distinguishes them.
const server = await startServer({ now: () => clock });
const chat = chatWith(server);
for (const user_id of ["kim_01", "lee_02", "park_03"]) await chat.users.create({ user_id, name: user_id });
afterAll(() => server.close());
beforeEach(async () => {
  clock += 1_000;
  room = await createRoom(["kim_01", "lee_02"]);
  ids = [];
  for (const content of ["1", "2", "3", "4", "5"]) ids.push(await send(content));
});

async function createRoom(members: string[]): Promise<string> {
  rooms += 1;
  const { channel } = await chat.channels.create({ channel_id: `room_${rooms}`, name: "Room", members });
  return channel.channel_id;
}

async function send(content: string): Promise<string> {
  const { message_id } = await chat.messages.send(room, { user_id: "kim_01", type: "text", content });
  return message_id;
}

const idAt = (index: number) => ids[index] ?? "";
const contents = (messages: readonly Message[]) =>
  messages.map((message) => (message.type === "file" ? message.file.name : message.content)).join(" ");

test("a list of messages iterates towards older ones, and each page has both cursors", async () => {
  expect(contents(await chat.messages.list(room, { pageSize: 2 }).toArray({ max: 10 }))).toBe("5 4 3 2 1");
  const pages: string[] = [];
  for await (const page of chat.messages.list(room, { pageSize: 2 }).pages()) {
    expect(page.newer).toBeTypeOf("string");
    pages.push(contents(page.items));
  }
  expect(pages).toEqual(["5 4", "3 2", "1"]);
});

test("after a lost connection, newer continues where the newest page was", async () => {
  let { items, newer } = await chat.messages.list(room, { pageSize: 2 }).firstPage();
  expect(contents(items)).toBe("5 4");
  for (const content of ["6", "7", "8"]) await send(content);
  await chat.messages.delete(room, idAt(4));
  const caughtUp: string[] = [];
  do {
    ({ items, newer } = await chat.messages.list(room, { cursor: newer }).firstPage());
    caughtUp.push(contents(items));
  } while (items.length > 0);
  expect(caughtUp).toEqual(["7 6", "8", ""]);
});

test("before, after and around name a message, also after its deletion", async () => {
  const list = async (range: Parameters<typeof chat.messages.list>[1]) =>
    contents((await chat.messages.list(room, range).firstPage()).items);
  expect(await list({ before: idAt(2) })).toBe("2 1");
  expect(await list({ after: idAt(2), pageSize: 1 })).toBe("4");
  expect(await list({ around: idAt(2), pageSize: 3 })).toBe("4 3 2");
  await chat.messages.delete(room, idAt(2));
  expect(await list({ before: idAt(2) })).toBe("2 1");
  expect(await list({ after: idAt(2) })).toBe("5 4");
  expect(await list({ around: idAt(2), pageSize: 4 })).toBe("5 4 2 1");
});

test("an edit is visible everywhere, and a deleted message nowhere", async () => {
  const edited = await chat.messages.update(room, idAt(4), { content: "five", meta: { edited: "yes" } });
  expect(edited).toMatchObject({ content: "five", meta: { edited: "yes" } });
  expect(await chat.messages.get(room, idAt(4))).toEqual(edited);
  expect((await chat.messages.list(room).firstPage()).items[0]).toEqual(edited);
  expect((await chat.exports.messages(room).firstPage()).items[0]).toEqual(edited);

  await chat.messages.delete(room, idAt(4));
  const gone = { constructor: NotFoundError, code: "message_not_found" };
  await expect(chat.messages.get(room, idAt(4))).rejects.toMatchObject(gone);
  await expect(chat.messages.update(room, idAt(4), { content: "six" })).rejects.toMatchObject(gone);
  await expect(chat.messages.delete(room, idAt(4))).rejects.toMatchObject(gone);
  expect(contents((await chat.messages.list(room).firstPage()).items)).toBe("4 3 2 1");
  expect(contents((await chat.exports.messages(room).firstPage()).items)).toBe("4 3 2 1");
  expect((await chat.channels.get(room)).total_message_count).toBe(5);
});

test("a read mark moves forward, and only a participant has one", async () => {
  const markRead = (messageId?: string) => chat.channels.members.markRead(room, "lee_02", messageId);
  const third = { unread_count: 2, read_message_id: idAt(2) };
  expect(await markRead(idAt(2))).toEqual(third);
  expect(await markRead(idAt(0))).toEqual(third);
  expect(await markRead()).toEqual({ unread_count: 0, read_message_id: idAt(4) });
  await expect(chat.channels.members.markRead(room, "park_03")).rejects.toBeInstanceOf(PermissionError);
});

test("the inbox lists channels by last activity on any number of pages, and the badge counts them all", async () => {
  const user = `reader_${room}`;
  await chat.users.create({ user_id: user, name: "Reader" });
  const created: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    clock += 1_000;
    room = await createRoom([user, "kim_01"]);
    created.push(room);
    if (count % 2 === 0) await send(`hello ${count}`);
  }
  const inbox = await chat.users.channels(user, { pageSize: 5 }).toArray({ max: 100 });
  expect(inbox.map(({ channel_id }) => channel_id)).toEqual(created.toReversed());
  expect(inbox.map(({ unread_count }) => unread_count)).toEqual([1, 0, 1, 0, 1, 0, 1]);
  expect(inbox[0]?.last_message).toMatchObject({ content: "hello 6" });
  expect(inbox[1]).not.toHaveProperty("last_message");
  expect(await chat.users.unread(user)).toEqual({ unread_count: 4, channel_count: 4, quiet_unread_count: 0 });
});
