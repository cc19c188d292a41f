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

// Park's screen shows the message.
await chat.channels.members.markRead(room, park, message_id);

// The participants who have read the message. The sender is not a reader.
const { readers, reader_count, member_count } = await chat.messages.readers(room, message_id);
console.log(
  `read by ${reader_count} of ${member_count - 1}: ${readers.map(({ user_id }) => user_id).join(", ")}`,
);
