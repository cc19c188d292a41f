import { ChatClient } from "@madang/client";

const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.MADANG_API_KEY ?? "",
});

await chat.users.create({ user_id: "start_park", name: "Park" });
await chat.channels.create({
  channel_id: "start_lunch",
  name: "Lunch",
  members: ["start_kim", "start_park"],
});
await chat.messages.send("start_lunch", { user_id: "start_park", type: "text", content: "점심 먹을까요?" });

for await (const message of chat.exports.messages("start_lunch")) {
  console.log(message.user.name, message.type === "text" ? message.content : message.file.name);
}
