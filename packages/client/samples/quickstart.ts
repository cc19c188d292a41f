import { ChatClient } from "@madang/client";

const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.MADANG_API_KEY ?? "",
});

await chat.users.create({ user_id: "kim_01", name: "Kim" });
await chat.users.create({ user_id: "park_03", name: "Park" });
const { channel, created } = await chat.channels.create({
  channel_id: "lunch_01",
  name: "Lunch",
  members: ["kim_01", "park_03"],
  reuse: true,
});
await chat.messages.send(channel.channel_id, { user_id: "kim_01", type: "text", content: "Noon?" });

console.log(created ? "a new room" : "the room they have", channel.members.length);
