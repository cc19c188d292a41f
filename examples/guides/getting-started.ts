import { ChatClient, ConflictError } from "@madang/client";

const chat = new ChatClient();

// You can run this again: an id that already exists is not an error here.
const ignoreExisting = (error: unknown) => {
  if (!(error instanceof ConflictError)) throw error;
};

await chat.users.create({ user_id: "start_park", name: "Park" }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: "start_lunch", name: "Lunch", members: ["start_kim", "start_park"] })
  .catch(ignoreExisting);
await chat.messages.send("start_lunch", { user_id: "start_park", type: "text", content: "점심 먹을까요?" });

for await (const message of chat.exports.messages("start_lunch")) {
  if (message.type === "text") console.log(message.user.name, message.content);
}
