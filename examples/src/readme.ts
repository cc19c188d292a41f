import { readFileSync } from "node:fs";
import { ChatClient } from "@madang/client";

const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.MADANG_API_KEY ?? readFileSync(".madang/master-key", "utf8").trim(),
});

await chat.users.create({ user_id: "park_03", name: "Park" });
await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["park_03"] });
await chat.messages.send("room_1", { user_id: "park_03", type: "text", content: "안녕하세요" });

for await (const message of chat.exports.messages("room_1")) {
  console.log(message.user.name, message.type === "text" ? message.content : message.type);
}
