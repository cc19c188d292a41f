import { ChatClient, isApiError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim] = ["checked_room", "checked_kim"];
await chat.users.create({ user_id: kim, name: "Kim" }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Lunch", members: [kim] }).catch(ignoreExisting);

// What would these words find? Nothing is stored.
const words = ["buy now", "casino*"];
const { masked } = await chat.filters.try({ words, text: "Casinos! BUY  NOW" });
console.log(masked);

// From now on, texts with one of the words are rejected in every channel.
const filter = await chat.filters.create({ label: "Advertising", words, action: "reject" });
try {
  await chat.messages.send(room, { user_id: kim, type: "text", content: "Free casino" });
} catch (error) {
  if (!isApiError(error, "messages.send") || error.code !== "message_rejected") throw error;
  console.log("rejected");
}

// A pattern in some channels, whose matches are masked.
const numbers = await chat.filters.create({
  label: "Phone numbers",
  pattern: "\\b\\d{3}-\\d{4}\\b",
  channel_ids: [room],
  action: "mask",
});
const sent = await chat.messages.send(room, { user_id: kim, type: "text", content: "Call 555-1234" });
console.log(sent.type === "text" && sent.content);

// One message of each participant every 30 seconds.
const { slow_mode_seconds } = await chat.channels.setSlowMode(room, 30);
console.log(slow_mode_seconds);

await chat.channels.setSlowMode(room, 0);
for (const { filter_id } of [filter, numbers]) await chat.filters.delete(filter_id);
