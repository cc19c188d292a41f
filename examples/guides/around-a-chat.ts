// What an application builds around a chat: push, presence and content filters.
import { ChatClient, isApiError, type Message } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const room = "around_room";
const members = ["around_kim", "around_park"];
for (const user_id of members) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Lunch", members }).catch(ignoreExisting);
const { next: cursor } = await chat.events.list({ after: "latest" });

/** Stands for the push service of the phone. */
const push = async (userId: string, text: string) => console.log(`push to ${userId}: ${text}`);

const forbidden = ["casino"];

/** Content filters: your server reads a text before it sends it. */
async function sendText(userId: string, content: string) {
  if (forbidden.some((word) => content.includes(word))) throw new Error("This text is not allowed.");
  return chat.messages.send(room, { user_id: userId, type: "text", content });
}

// Pages whose tokens come from this key read and mark, and send through your server.
const scopes = ["read", "channels.members.markRead", "users.createToken"];
const { key } = await chat.keys.create({ label: "pages", scopes });
const pages = new ChatClient({ baseUrl: process.env.MADANG_URL, apiKey: key });

/** Presence: each page says every 20 seconds that its user is there. */
const sayHere = (userId: string) => chat.signals.send(room, { user_id: userId, type: "here" });

/** When each page last said it. A user whose pages were silent for 45 seconds is away. */
const saidAt = new Map<string, number>();
const isHere = (userId: string) => Date.now() - (saidAt.get(userId) ?? 0) < 45_000;
async function followPresence(signal: AbortSignal) {
  const signals = { after: "latest", live: true, types: ["signal"], channel_id: room, signal } as const;
  for await (const event of chat.events.listen(signals))
    if (event.type === "signal" && event.data.type === "here" && event.user_id)
      saidAt.set(event.user_id, Date.now());
}

/** Push: each new message goes to the members who are away. */
async function pushTo(message: Message) {
  if (message.type === "system") return;
  for (const { user_id } of await chat.channels.members.list(room)) {
    if (user_id === message.user.user_id || isHere(user_id)) continue;
    await push(user_id, message.type === "text" ? message.content : message.file.name);
  }
}

const stopping = new AbortController();
const following = followPresence(stopping.signal);
while (!isHere("around_kim")) {
  await sayHere("around_kim");
  await new Promise((resolve) => setTimeout(resolve, 250));
}
await sendText("around_kim", "Where do we eat?");
await sendText("around_park", "See you at noon");
await sendText("around_kim", "casino").catch((error: Error) => console.log(error.message));

let handled = 0;
for await (const event of chat.events.listen({ after: cursor, types: ["message.created"] })) {
  if (event.type !== "message.created" || event.channel_id !== room) continue;
  // Absent if the message was deleted meanwhile.
  if (event.data.message !== undefined) await pushTo(event.data.message);
  // Store event.cursor here, so that a restarted program continues.
  handled += 1;
  if (handled === 2) break;
}
stopping.abort();
await following;

const { token } = await pages.users.createToken("around_kim");
const page = new ChatClient({ baseUrl: process.env.MADANG_URL, token });
console.log((await page.messages.list(room).firstPage()).items.length > 0);
await page.channels.members.markRead(room, "around_kim");
const bet = { type: "text", content: "casino" } as const;
await page.messages.send(room, bet).catch((error: unknown) => console.log(isApiError(error) && error.code));
await chat.keys.delete(key);
