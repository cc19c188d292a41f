// Draws the screen of a channel for one user, in a terminal. Its ids are new on every run.
import { ChatClient, isApiError, type Message } from "@madang/client";

const chat = new ChatClient();
const run = Date.now().toString(36);
const [kim, park, room] = [`kim_${run}`, `park_${run}`, `room_${run}`];
await chat.users.create({ user_id: kim, name: "Kim" });
await chat.users.create({ user_id: park, name: "Park" });
await chat.channels.create({ channel_id: room, name: "Lunch", members: [kim, park] });

const sent: string[] = [];
async function send(content: string) {
  const { message_id } = await chat.messages.send(room, { user_id: park, type: "text", content });
  sent.push(message_id);
}
for (let number = 1; number <= 50; number += 1) await send(`message ${number}`);

/** A message as one line. */
function draw(message: Message): string {
  switch (message.type) {
    case "text":
      return `${message.user.name}: ${message.content}`;
    case "file":
      return `${message.user.name}: ${message.file.name}`;
    case "system":
      return message.content;
  }
}

function show(title: string, messages: readonly Message[]) {
  console.log(`${title}: ${messages.length} messages`);
  for (const message of [messages[0], messages.at(-1)]) if (message) console.log(` ${draw(message)}`);
}

// Open the channel at its newest message. The screen holds its messages newest first.
const newest = await chat.messages.list(room, { pageSize: 20 }).firstPage();
let screen = [...newest.items];
let { nextCursor: older, newer } = newest;
show("opened", screen);

/** Scrolls up. `older` is undefined at the beginning of the channel. */
async function scrollUp() {
  if (older === undefined) return;
  const page = await chat.messages.list(room, { cursor: older }).firstPage();
  screen = [...screen, ...page.items];
  older = page.nextCursor;
}
await scrollUp();
show("scrolled up", screen);

/** Adds what was sent since the last call, for example after a lost connection. */
async function catchUp() {
  for (;;) {
    const page = await chat.messages.list(room, { cursor: newer }).firstPage();
    newer = page.newer;
    if (page.items.length === 0) return;
    screen = [...page.items, ...screen];
  }
}
for (let number = 51; number <= 75; number += 1) await send(`message ${number}`);
await catchUp();
show("caught up", screen);

/** Redraws the screen around a message, for example one from a reply or a bookmark. */
async function jumpTo(messageId: string) {
  const page = await chat.messages.list(room, { around: messageId, pageSize: 21 }).firstPage();
  screen = [...page.items];
  ({ nextCursor: older, newer } = page);
}
await jumpTo(sent[24] ?? "");
show("jumped", screen);

// What the user has on the screen is read. `unread_count` is the number for the badge.
const [top] = screen;
const read = await chat.channels.members.markRead(room, kim, top?.message_id);
console.log(`unread after reading: ${read.unread_count}`);

// Messages that events name, in one request. Each reaction says whether it is Kim's own.
const shown = await chat.messages
  .list(room, { message_ids: sent.slice(73, 75), as_user: kim })
  .toArray({ max: 50 });
console.log(shown.map(draw).join(", "));

// An edit changes the message everywhere; a deletion removes it.
await chat.messages.update(room, sent[73] ?? "", { content: "see you at noon" });
await chat.messages.delete(room, sent[74] ?? "");

// Of two people who edit what both have read, the second is asked first.
const { updated_at } = await chat.messages.get(room, sent[73] ?? "");
const edit = (content: string) =>
  chat.messages.update(room, sent[73] ?? "", { content, if_updated_at: updated_at });
await edit("see you at one");
try {
  await edit("see you at two");
} catch (error) {
  if (!isApiError(error, "messages.update") || error.code !== "message_changed") throw error;
  if (error.current) console.log("changed meanwhile", draw(error.current));
}

// The inbox: one line per channel, with the last message and a badge.
const inbox = await chat.users.channels(kim, { pageSize: 15 }).firstPage();
for (const { name, unread_count, last_message } of inbox.items) {
  // 100 means 100 or more.
  const badge = unread_count < 100 ? `${unread_count}` : "99+";
  console.log(`${name} (${badge}) ${last_message === undefined ? "" : draw(last_message)}`);
}

// One line of it, when an event says that its channel changed.
const [line] = await chat.users.channels(kim, { channel_ids: [room] }).toArray({ max: 1 });
console.log(`${line?.name} (${line?.unread_count})`);

// The number on the icon of the application.
const { unread_count, channel_count } = await chat.users.unread(kim);
console.log(`${unread_count} unread messages in ${channel_count} channels`);
