// Writes 400 words into the message of its argument, or into a new one, and prints its id: writer-killed.test.ts kills it.
import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";

const chat = new ChatClient();
const [, , messageId] = process.argv;
const writer =
  messageId === undefined
    ? await chat.messages.stream("room_1", { user_id: "bot_01", type: "text" })
    : chat.messages.resume(await chat.messages.get("room_1", messageId));
process.stdout.write(`${writer.messageId}\n`);
const text = Array.from({ length: 400 }, (_, index) => `${index} `).join("");
for (let at = writer.content.length; at < text.length; at += 3) {
  writer.append(text.slice(at, at + 3));
  await sleep(Math.random() * 5);
}
await writer.finish();
