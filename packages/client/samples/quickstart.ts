import { ChatClient, ConflictError } from "@madang/client";

// Reads MADANG_URL and MADANG_API_KEY. To pass them instead: new ChatClient({ baseUrl, apiKey })
const chat = new ChatClient();

// You can run this again: an id that already exists is not an error here.
const ignoreExisting = (error: unknown) => {
  if (!(error instanceof ConflictError)) throw error;
};

await chat.users.create({ user_id: "kim_01", name: "Kim" }).catch(ignoreExisting);
await chat.users.create({ user_id: "park_03", name: "Park" }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01", "park_03"] })
  .catch(ignoreExisting);
const message = await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Noon?" });

console.log(message.message_id, message.created_at);
