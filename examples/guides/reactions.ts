import { ChatClient, isApiError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim, park] = ["reactions_room", "react_kim", "react_park"];
for (const user_id of [kim, park]) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: room, name: "Reactions", members: [kim, park] })
  .catch(ignoreExisting);
const { message_id } = await chat.messages.send(room, { user_id: kim, type: "text", content: "Noon?" });

const { next: after } = await chat.events.list({ after: "latest" });

// Park and Kim react. The response contains the counts.
await chat.messages.reactions.add(room, message_id, "👍", park);
const { reactions } = await chat.messages.reactions.add(room, message_id, "👍", kim);
console.log(reactions.map(({ reaction, count }) => `${reaction} ${count}`).join(" "));

// Lists of messages show the counts too, and which reactions are those of Kim.
const { items } = await chat.messages.list(room, { pageSize: 1, as_user: kim }).firstPage();
const [first] = items[0]?.reactions ?? [];
console.log("listed:", first?.count, first?.own);

// Who reacted, for a tooltip.
const all = await chat.messages.reactions.list(room, message_id).toArray({ max: 100 });
console.log("by", all.map(({ user }) => user.user_id).join(", "));

// A click on a reaction removes it, or adds it.
if (first?.own) await chat.messages.reactions.remove(room, message_id, "👍", kim);
else await chat.messages.reactions.add(room, message_id, "👍", kim);

// An event names the message whose reactions changed. Read its counts: adding 1 could count a reaction twice.
const changes = ["reaction.added", "reaction.removed"] as const;
const { events } = await chat.events.list({ after, channel_id: room, types: changes });
for (const event of events) {
  if (event.type !== "reaction.added" && event.type !== "reaction.removed") continue;
  // Without an error if it was deleted meanwhile.
  const [changed] = await chat.messages.list(room, { message_ids: [event.data.message_id] }).toArray();
  console.log(event.type, changed?.reactions?.[0]?.count);
}

// A message has at most 20 different reactions.
await chat.messages.reactions.add(room, message_id, "🎉", park).catch((error: unknown) => {
  if (!isApiError(error, "messages.reactions.add") || error.code !== "reaction_limit_exceeded") throw error;
  console.log("Use one of the reactions that are there.");
});

// Pin a message, list the pins of the channel, and unpin it.
await chat.messages.pin(room, message_id);
const pinned = await chat.channels.pins(room).toArray();
console.log("pinned:", pinned.length);
await chat.messages.unpin(room, message_id);
