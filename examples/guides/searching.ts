import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.users.create({ user_id: "search_01", name: "Kim" }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: "search_room", name: "Search", members: ["search_01"] })
  .catch(ignoreExisting);
await chat.messages.send(
  "search_room",
  { user_id: "search_01", type: "text", content: "내일 학교에서 만나요. See you at Noon!" },
  { idempotencyKey: "search-guide" },
);

// In one channel: both terms, in any order.
for await (const message of chat.messages.search("search_room", { q: "noon 학교" }))
  console.log("in the channel:", message.created_at);

// In all channels of a user.
for await (const message of chat.users.searchMessages("search_01", { q: "noon" }))
  console.log("in", message.channel_id);
