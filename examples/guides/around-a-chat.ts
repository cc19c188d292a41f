// What an application builds around a chat: push, presence and content filters.
import { ChatClient, type Message } from "@madang/client";
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

/** Presence: who has a connection to your relay. A user can have several. */
const connections = new Map<string, number>();
function countConnection(userId: string, change: 1 | -1) {
  const before = connections.get(userId) ?? 0;
  connections.set(userId, before + change);
  if ((before === 0) !== (before + change === 0)) tellBrowsers({ type: "presence", userId });
}

/** Stands for the relay, which writes to the browsers of the channel. */
function tellBrowsers(message: { type: "presence"; userId: string }) {
  console.log(message.type, message.userId);
}

/** Push: each new message goes to the members who are not connected. */
async function pushTo(message: Message) {
  if (message.type === "system") return;
  for (const { user_id } of await chat.channels.members.list(room)) {
    const isConnected = (connections.get(user_id) ?? 0) > 0;
    if (user_id === message.user.user_id || isConnected) continue;
    await push(user_id, message.type === "text" ? message.content : message.file.name);
  }
}

countConnection("around_kim", 1);
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
