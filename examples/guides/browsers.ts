import { ChatClient, isApiError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim, park] = ["web_room", "web_kim", "web_park"];
for (const user_id of [kim, park]) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Web", members: [kim, park] }).catch(ignoreExisting);

/** On your server: POST /chat-token, for a person who is signed in. The response is this as JSON. */
async function createToken(request: { userId: string }) {
  return chat.users.createToken(request.userId);
}

/** In the page, or in the app. */
const askServer = () => createToken({ userId: kim });
const page = new ChatClient({ baseUrl: process.env.MADANG_URL, token: askServer });

// Kim's own name may be left out, and no other is accepted.
const sent = await page.messages.send(room, { type: "text", content: "Hello from the page" });
console.log(sent.type === "text" && sent.user.user_id);
await page.messages
  .send(room, { user_id: park, type: "text", content: "I am Park" })
  .catch((error: unknown) => console.log(isApiError(error) && error.code));
for await (const channel of page.users.channels(kim)) console.log(channel.name, channel.unread_count);

// What Kim sees of Park.
const members = await page.channels.members.list(room);
console.log(Object.keys(members[1] ?? {}).join(" "));

// On your server, when Kim signs out everywhere.
await chat.users.revokeTokens(kim);

// A bot acts as its own user, and has no more rights than that.
const bot = await chat.keys.create({ user_id: park, label: "lunch bot", scopes: ["read", "messages.send"] });
console.log((await new ChatClient({ baseUrl: process.env.MADANG_URL, apiKey: bot.key }).keys.self()).user_id);
await chat.keys.delete(bot.key);
