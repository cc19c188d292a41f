import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.channels
  .create({ channel_id: "support_room", name: "Support", members: [] })
  .catch(ignoreExisting);

// Messages older than 30 days are hidden from now on, and erased in the background.
await chat.channels.setRetention("support_room", { days: 30, hold: false });

// Nothing in the channel is hidden or erased while an investigation runs.
await chat.channels.setRetention("support_room", { days: 30, hold: true });

// It is over: what is due is erased. The channel has the period of all others again.
const channel = await chat.channels.setRetention("support_room", { days: null, hold: false });
console.log(channel.retention ?? "as the server is set");
