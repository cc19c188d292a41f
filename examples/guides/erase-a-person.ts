import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, person] = ["erasing_room", "erasing_kim"];
await chat.users.create({ user_id: person, name: "Kim" }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Room", members: [] }).catch(ignoreExisting);
await chat.channels.members.join(room, person);
await chat.messages.send(room, { user_id: person, type: "text", content: "Hello" });

// Every user that had the id and was not erased, with its messages, memberships, reactions, mentions, mutes, bans and reports.
for await (const { user, items: messages, ...lists } of chat.privacy.export(person).pages())
  console.log(user.name, messages.length, lists.memberships.length, lists.reactions.length);

// Erase the user with all messages, and wait until nothing is left but what is on hold.
const { erasure_id } = await chat.privacy.erase({ user_id: person, messages: "erase" });
let erasure = await chat.privacy.get(erasure_id);
while (erasure.status === "running" && erasure.erased.held === undefined) {
  await sleep(500);
  erasure = await chat.privacy.get(erasure_id);
}
console.log(erasure.erased);
