// Creates users, a channel and messages, and reads both lists. Its ids are new on every run.
import { ChatClient } from "@madang/client";

const chat = new ChatClient();
const run = Date.now().toString(36);
const [kim, park] = [`kim_${run}`, `park_${run}`];

await chat.users.create({ user_id: kim, name: "Kim", meta: { team: "blue" } });
await chat.users.create({ user_id: park, name: "Park" });
console.log(`created the users ${kim} and ${park}`);

const { channel, created } = await chat.channels.create({
  channel_id: `lunch_${run}`,
  name: "Lunch",
  members: [kim, park],
  reuse: true,
});
console.log(`${created ? "created" : "reused"} the channel ${channel.channel_id}`);

for (const [user_id, content] of [
  [kim, "점심 먹을까요?"],
  [park, "좋아요, 12시에 만나요."],
] as const) {
  const { message_id } = await chat.messages.send(channel.channel_id, { user_id, type: "text", content });
  console.log(`sent the message ${message_id}`);
}

let count = 0;
for await (const user of chat.users.list({ pageSize: 30 })) {
  count += 1;
  if (user.user_id === kim) console.log(`found ${user.name} of team ${user.meta.team} in the list`);
}
console.log(`listed ${count} users`);

for await (const message of chat.exports.messages(channel.channel_id)) {
  if (message.type === "text") console.log(`${message.user.name}: ${message.content}`);
}
