// An assistant that answers in a channel of two people: node examples/assistant/main.ts
import { ChatClient, isApiError, type Message, MessageEndedError, type MessageWriter } from "@madang/client";
import { isStepCount, type ModelMessage, streamText, tool } from "ai";
import { z } from "zod";
import { ignoreExisting } from "../src/ignore-existing.ts";
import { model } from "./model.ts";

const chat = new ChatClient();
const channelId = "assistant_room";
const botId = "assistant_bot";
const people = { assistant_kim: "Kim", assistant_park: "Park", [botId]: "Assistant" };

for (const [user_id, name] of Object.entries(people))
  await chat.users.create({ user_id, name }).catch(ignoreExisting);
const room = { channel_id: channelId, name: "Lunch", members: Object.keys(people) };
await chat.channels.create(room).catch(ignoreExisting);

const menu = tool({
  description: "The menu of the canteen on a day.",
  inputSchema: z.object({ day: z.string() }),
  execute: async ({ day }) => ({ day, dishes: ["bibimbap", "cold noodles"] }),
});

/** Streams the answer to a question into a message. Whatever ends the process, the next one continues where the message ends. */
async function answer(question: Message): Promise<void> {
  const writer = await beginAnswer(question);
  if (writer === undefined) return;
  const parts: { type: string; [field: string]: unknown }[] = [];
  try {
    const { stream } = streamText({
      model,
      tools: { menu },
      stopWhen: isStepCount(5),
      instructions: "Answer the last question. If your answer has begun already, write only what is missing.",
      messages: await readHistory(question, writer.content),
      // When somebody stops the message, the model stops, too.
      abortSignal: writer.signal,
    });
    for await (const part of stream) {
      if (part.type === "text-delta") writer.append(part.text);
      else if (part.type === "tool-result")
        parts.push({ type: "tool", name: part.toolName, input: part.input, output: part.output });
      else if (part.type === "error") throw part.error;
    }
    await writer.finish({ parts });
    console.log(`answered ${question.message_id}`);
  } catch (error) {
    if (!(error instanceof MessageEndedError)) throw error;
    console.log(`${error.current.state} ${question.message_id}`);
  }
}

/** A question has one answer: one that is there already is continued, unless it has ended. */
async function beginAnswer({ message_id }: Message): Promise<MessageWriter | undefined> {
  const external_id = `answer_${message_id}`;
  try {
    const beginning = { user_id: botId, type: "text", external_id, reply_to: message_id } as const;
    return await chat.messages.stream(channelId, beginning);
  } catch (error) {
    if (!isApiError(error, "messages.send") || error.code !== "external_id_exists") throw error;
    const [begun] = await chat.messages.list(channelId, { external_ids: [external_id] }).toArray();
    const isOpen = begun?.type === "text" && (begun.state === "streaming" || begun.state === "interrupted");
    return isOpen ? chat.messages.resume(begun) : undefined;
  }
}

/** The conversation until the question, and the beginning of the answer. */
async function readHistory(question: Message, begun: string): Promise<ModelMessage[]> {
  const { items } = await chat.messages.list(channelId, { before: question.message_id }).firstPage();
  const history = [...items.toReversed(), question].flatMap((message): ModelMessage[] => {
    if (message.type !== "text") return [];
    const { content, user } = message;
    return [
      user.user_id === botId
        ? { role: "assistant", content }
        : { role: "user", content: `${user.name}: ${content}` },
    ];
  });
  return begun === "" ? history : [...history, { role: "assistant", content: begun }];
}

/**
 * The bot keeps its position in the feed in its own metadata: it needs no disk. After a quiet week, that event is no longer stored. Then
 * it reads all that are: a question has one answer, so it answers what it has missed.
 */
async function findStart(): Promise<string | undefined> {
  const { cursor } = (await chat.users.get(botId)).meta;
  try {
    const { next } = await chat.events.list({ after: cursor ?? "latest" });
    if (cursor !== undefined) return cursor;
    await chat.users.meta.merge(botId, { cursor: next });
    return next;
  } catch (error) {
    if (!isApiError(error, "events.list") || error.code !== "events_expired") throw error;
    return undefined;
  }
}

const after = await findStart();
console.log("listening");
for await (const event of chat.events.listen({ after, types: ["message.created"], channel_id: channelId })) {
  const { message } = event.type === "message.created" ? event.data : {};
  if (message?.type === "text" && message.user.user_id !== botId) await answer(message);
  await chat.users.meta.merge(botId, { cursor: event.cursor });
}
