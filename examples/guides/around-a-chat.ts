// A server that checks texts and sends all messages, and a key for pages that cannot send.
import { ChatClient, isApiError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const room = "around_room";
const members = ["around_kim", "around_park"];
for (const user_id of members) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Lunch", members }).catch(ignoreExisting);

/** Stands for a classifier. */
const isAllowed = async (text: string) => !text.includes("casino");

/** Your server reads a text before it sends it. */
async function sendText(userId: string, content: string) {
  if (!(await isAllowed(content))) throw new Error("This text is not allowed.");
  return chat.messages.send(room, { user_id: userId, type: "text", content });
}

// Pages whose tokens come from this key read and mark, and send through your server.
const scopes = ["read", "channels.members.markRead", "users.createToken"];
const { key } = await chat.keys.create({ label: "pages", scopes });
const pages = new ChatClient({ baseUrl: process.env.MADANG_URL, apiKey: key });

await sendText("around_kim", "Where do we eat?");
await sendText("around_kim", "casino").catch((error: Error) => console.log(error.message));

const { token } = await pages.users.createToken("around_kim");
const page = new ChatClient({ baseUrl: process.env.MADANG_URL, token });
console.log((await page.messages.list(room).firstPage()).items.length > 0);
await page.channels.members.markRead(room, "around_kim");
const bet = { type: "text", content: "casino" } as const;
await page.messages.send(room, bet).catch((error: unknown) => console.log(isApiError(error) && error.code));
await chat.keys.delete(key);
