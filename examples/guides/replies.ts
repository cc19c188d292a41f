import { ChatClient, isApiError, type Message } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim, park] = ["replies_room", "reply_kim", "reply_park"];
for (const user_id of [kim, park]) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Replies", members: [kim, park] }).catch(ignoreExisting);
await chat.channels.members.markRead(room, kim);

// Kim asks. Park replies and mentions Kim.
const question = await chat.messages.send(room, { user_id: kim, type: "text", content: "Noon?" });
const answer = await chat.messages.send(room, {
  user_id: park,
  type: "text",
  content: "One is better, @reply_kim.",
  reply_to: question.message_id,
  mentions: [kim],
});

// The question counts its replies.
const asked = await chat.messages.get(room, question.message_id);
console.log(asked.reply_count, "reply");

// The thread, oldest first.
for await (const reply of chat.messages.replies(room, question.message_id)) console.log(draw(reply));

// Read the message that a reply refers to, if it is not on the screen. It may have been deleted.
if (answer.reply_to !== undefined) {
  const quoted = await chat.messages.get(room, answer.reply_to).catch((error: unknown) => {
    if (!isApiError(error, "messages.get") || error.code !== "message_not_found") throw error;
    return undefined;
  });
  console.log("quotes", quoted === undefined ? "a deleted message" : draw(quoted));
}

// Kim's inbox: the unread messages, and how many of them mention Kim.
for await (const channel of chat.users.channels(kim))
  console.log(channel.unread_count, "unread,", channel.mention_count, "for you");

// A message from your application: it has no sender and does not count as unread.
await chat.messages.send(room, { type: "system", content: "Park has booked a table." });

// Each type of message has its own fields; a system message has no user. Because of the return type, the compiler
// reports a type that has no case.
function draw(message: Message): string {
  const edited = message.edited_at === undefined ? "" : " (edited)";
  switch (message.type) {
    case "text":
      return `${message.user.name}: ${message.content}${edited}`;
    case "file":
      return `${message.user.name}: ${message.file.name}`;
    case "system":
      return message.content + edited;
  }
}

await chat.messages.update(room, answer.message_id, { content: "One is better." });
const { items } = await chat.messages.list(room, { pageSize: 2 }).firstPage();
console.log(items.map(draw).join("\n"));

// Replies stay when the message is deleted. Their `reply_to` still contains its id.
await chat.messages.delete(room, question.message_id);
const kept = await chat.messages.get(room, answer.message_id);
console.log("kept:", kept.reply_to === question.message_id);
