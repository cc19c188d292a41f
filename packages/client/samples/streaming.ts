import { ChatClient } from "@madang/client";

const chat = new ChatClient();

// Stands in for a model, which yields its answer in pieces.
async function* answer() {
  for (const word of ["Noon ", "works."]) yield word;
}

const writer = await chat.messages.stream("lunch_01", { user_id: "park_03", type: "text" });
// `append` joins what is written while a request runs, and continues after a broken connection without repeating text.
for await (const word of answer()) writer.append(word);
const message = await writer.finish();

console.log(message.type === "text" && message.content);
