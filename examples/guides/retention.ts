import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.channels
  .create({ channel_id: "support_room", name: "Support", members: [] })
  .catch(ignoreExisting);

// From now on, messages are erased within five minutes of being 30 days old.
await chat.channels.setRetention("support_room", { days: 30, hold: false });

// During an investigation: nothing in the channel is erased by age.
await chat.channels.setRetention("support_room", { days: 30, hold: true });

// After it: expired messages are erased. `null` returns to the period of the server.
const channel = await chat.channels.setRetention("support_room", { days: null, hold: false });
console.log(channel.retention ?? "as the server is set");
