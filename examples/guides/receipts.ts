import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim, park, lee] = ["receipts_room", "read_kim", "read_park", "read_lee"];
for (const user_id of [kim, park, lee])
  await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: room, name: "Receipts", members: [kim, park, lee] })
  .catch(ignoreExisting);
const { message_id } = await chat.messages.send(room, { user_id: kim, type: "text", content: "Noon?" });

// The screen of Park shows the message.
await chat.channels.members.markRead(room, park, { messageId: message_id });

// Who has read it, without its sender.
const { readers, reader_count, member_count } = await chat.messages.readers(room, message_id);
console.log(
  `read by ${reader_count} of ${member_count - 1}: ${readers.map(({ user_id }) => user_id).join(", ")}`,
);

// A list of direct messages: names and pictures without further calls.
for await (const channel of chat.users.channels(kim, { members: true })) {
  const others = channel.members?.filter(({ user_id }) => user_id !== kim) ?? [];
  console.log(channel.member_count, others.map(({ name }) => name).join(", "));
}
