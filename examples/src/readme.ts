import { ChatClient } from "@madang/client";

// Reads MADANG_URL and MADANG_API_KEY.
const chat = new ChatClient();

// New ids, so that you can run this again.
const userId = `park_${Date.now()}`;
const channelId = `lunch_${Date.now()}`;

await chat.users.create({ user_id: userId, name: "Park" });
await chat.channels.create({ channel_id: channelId, name: "Lunch", members: [userId] });
await chat.messages.send(channelId, { user_id: userId, type: "text", content: "안녕하세요" });

for await (const message of chat.exports.messages(channelId)) {
  if (message.type === "text") console.log(message.user.name, message.content);
}
