import { ChatClient, MessageEndedError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const room = "assistants_room";
const bot = "assistants_bot";
await chat.users.create({ user_id: "assistants_kim", name: "Kim" }).catch(ignoreExisting);
await chat.users.create({ user_id: bot, name: "Assistant" }).catch(ignoreExisting);
const members = ["assistants_kim", bot];
await chat.channels.create({ channel_id: room, name: "Lunch", members }).catch(ignoreExisting);
const { next: after } = await chat.events.list({ after: "latest" });
const leaving = new AbortController();
const reader = show();

// A message that grows while people read. `append` does not have to be awaited: what is written while a request runs goes into the next one.
const writer = await chat.messages.stream(room, { user_id: bot, type: "text" });
for await (const word of produceWords()) writer.append(word);
const answer = await writer.finish({ parts: [{ type: "tool", name: "menu", output: ["bibimbap"] }] });
console.log("whole:", answer.type === "text" && answer.content);

// Kim presses Stop. Whatever writes the message learns it with its next append.
const long = await chat.messages.stream(room, { user_id: bot, type: "text", content: "There is " });
await chat.messages.finish(room, long.messageId, { state: "cancelled" });
await long.append("bibimbap").catch((error: unknown) => {
  if (!(error instanceof MessageEndedError)) throw error;
  console.log("stopped:", error.current.state);
});

// What other people see arrives a moment later.
await new Promise((resolve) => setTimeout(resolve, 1_000));
leaving.abort();
await reader;

/** Stands in for the stream of a model. */
async function* produceWords() {
  for (const word of ["There ", "is ", "bibimbap."]) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    yield word;
  }
}

/** Shows the messages of the channel by their ids, as they grow. */
async function show() {
  const texts = new Map<string, string>();
  const { signal } = leaving;
  // With `live`, the loop also gets what is appended: `content` is the text so far, whatever you have seen of it.
  for await (const event of chat.events.listen({ after, channel_id: room, live: true, signal })) {
    if (event.type === "message.appended") texts.set(event.data.message_id, event.content);
    else if (event.type === "message.created" || event.type === "message.updated") {
      const { message } = event.data;
      if (message?.type === "text") texts.set(message.message_id, message.content);
    }
  }
  console.log("shown:", [...texts.values()].join(" | "));
}
