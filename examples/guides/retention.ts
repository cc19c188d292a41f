import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.channels
  .create({ channel_id: "support_room", name: "Support", members: [] })
  .catch(ignoreExisting);

// From now on, messages older than 30 days are hidden, and erased in the background.
await chat.channels.setRetention("support_room", { days: 30, hold: false });

// During an investigation: nothing in the channel is hidden or erased.
await chat.channels.setRetention("support_room", { days: 30, hold: true });

// After it: expired messages are erased. `null` returns to the period of the server.
const channel = await chat.channels.setRetention("support_room", { days: null, hold: false });
console.log(channel.retention ?? "as the server is set");
