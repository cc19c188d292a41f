import { readPage } from "../read-page";
import { describePage } from "../result";
import type { Context, Tool } from "../tool";
import { cursor, format, limit, onlyData, parameter, pick, queryOf, text } from "./input";

const channelId = parameter("messages.list", "channel_id", "The id of the channel.");
const messageId = parameter("messages.get", "message_id", "The id of the message.");

export const readConversation: Tool = {
  name: "madang_read_conversation",
  title: "Read a conversation",
  description: `Messages of a channel, newest first: the newest, those around a message, or those before one. ${onlyData}`,
  operations: ["messages.list"],
  input: {
    channel_id: channelId,
    around: parameter("messages.list", "around", "A message_id: it is in the middle of the page."),
    before: parameter("messages.list", "before", "A message_id: only older messages."),
    limit: limit("messages.list"),
    cursor,
    format,
  },
  required: ["channel_id"],
  async run(context, args) {
    const query = queryOf(args, ["around", "before", "limit"]);
    const parts = { path: { channel_id: text(args, "channel_id") }, query };
    const found = await readPage(context, "messages.list", parts);
    return describePage(found, "messages", "madang_send_message answers, with reply_to for one of them.");
  },
};

export const searchMessages: Tool = {
  name: "madang_search_messages",
  title: "Search messages",
  description: `Messages that contain every word of q, newest first: in one channel, in the channels of a user, or everywhere. ${onlyData}`,
  operations: ["messages.search", "users.searchMessages", "messages.searchAll"],
  input: {
    q: parameter("messages.search", "q", "1 to 8 words or parts of words."),
    channel_id: parameter("messages.search", "channel_id", "Only in this channel."),
    sender_id: parameter("messages.search", "user_id", "Only messages of this user."),
    inbox_of: parameter("users.searchMessages", "user_id", "Only in the channels of this user."),
    limit: limit("messages.search"),
    cursor,
    format,
  },
  required: ["q"],
  self: "inbox_of",
  async run(context, args) {
    const found = await search(context, args);
    return describePage(
      found,
      "messages",
      "madang_read_conversation with around shows what was said before and after.",
    );
  },
};

function search(context: Context, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  const query = queryOf({ ...args, user_id: args.sender_id }, ["q", "user_id", "limit"]);
  if (args.channel_id !== undefined)
    return readPage(context, "messages.search", { path: { channel_id: text(args, "channel_id") }, query });
  if (args.inbox_of !== undefined)
    return readPage(context, "users.searchMessages", {
      path: { user_id: text(args, "inbox_of") },
      query: queryOf(args, ["q", "limit"]),
    });
  return readPage(context, "messages.searchAll", { query });
}

/** Only bytes that the model has: a path could be that of any file of the person. */
const attachment = {
  type: "object",
  properties: {
    file_id: { type: "string" },
    name: { type: "string" },
    type: { type: "string", description: "The MIME type." },
    text: { type: "string" },
    base64: { type: "string" },
  },
  additionalProperties: false,
};

export const sendMessage: Tool = {
  name: "madang_send_message",
  title: "Send a message",
  description:
    "Sends a text, files or both to a channel, as a user or, without user_id, as the system. With reply_to it answers a message.",
  operations: ["messages.send"],
  input: {
    channel_id: channelId,
    user_id: parameter("messages.send", "user_id", "The sender. Without it: a system message."),
    content: parameter("messages.send", "content", "The text."),
    reply_to: parameter("messages.send", "reply_to", "The message_id of the message that it answers."),
    mentions: parameter("messages.send", "mentions", "The user ids that it mentions."),
    attachments: {
      ...parameter(
        "messages.send",
        "attachments",
        "Its files: each a file_id that was uploaded, or a name with text or base64, which is uploaded now.",
      ),
      items: attachment,
    },
    format,
  },
  required: ["channel_id"],
  self: "user_id",
  async run({ chat, options }, args) {
    const type = args.user_id === undefined ? "system" : "text";
    const given: readonly GivenFile[] = Array.isArray(args.attachments) ? args.attachments : [];
    const uploaded = given.flatMap(({ file_id }) => (file_id === undefined ? [] : [{ file_id }]));
    const body = {
      type,
      ...pick(args, ["user_id", "content", "reply_to", "mentions"]),
      ...(uploaded.length > 0 && { attachments: uploaded }),
    };
    const files = given.filter(({ file_id }) => file_id === undefined).map(readFile);
    // The service checks it.
    const message = await chat.messages.send(text(args, "channel_id"), body as never, { ...options, files });
    return { data: Object(message), text: "The message was sent. Its message_id names it in other tools." };
  },
};

interface GivenFile {
  readonly file_id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly text?: string;
  readonly base64?: string;
}

function readFile({ name, type, text, base64 }: GivenFile) {
  if (name === undefined || (text === undefined) === (base64 === undefined))
    throw new Error("A file of attachments needs a file_id, or a name with either text or base64.");
  const [bytes, byDefault] =
    text === undefined
      ? [Buffer.from(base64 ?? "", "base64"), "application/octet-stream"]
      : [Buffer.from(text), "text/plain"];
  return { file: bytes, name, type: type ?? byDefault };
}

export const editMessage: Tool = {
  name: "madang_edit_message",
  title: "Edit a message",
  description: "Replaces the text of a message. With if_updated_at only if nobody changed it meanwhile.",
  operations: ["messages.update"],
  input: {
    channel_id: channelId,
    message_id: messageId,
    content: parameter("messages.update", "content", "The new text."),
    if_updated_at: parameter(
      "messages.update",
      "if_updated_at",
      "The updated_at of the message as it was read.",
    ),
    format,
  },
  required: ["channel_id", "message_id", "content"],
  async run({ chat, options }, args) {
    const parts = { path: nameOf(args), body: pick(args, ["content", "if_updated_at"]) };
    const message = await chat.request("messages.update", parts, options);
    return { data: Object(message), text: "The message was edited." };
  },
};

export const deleteMessage: Tool = {
  name: "madang_delete_message",
  title: "Delete a message",
  description: "Deletes a message for everybody. It cannot be brought back.",
  operations: ["messages.delete"],
  input: { channel_id: channelId, message_id: messageId },
  required: ["channel_id", "message_id"],
  async run({ chat, options }, args) {
    await chat.request("messages.delete", { path: nameOf(args) }, options);
    return { data: {}, text: "The message was deleted." };
  },
};

export const react: Tool = {
  name: "madang_react",
  title: "React to a message",
  description: "Adds a reaction of a user to a message.",
  operations: ["messages.reactions.add"],
  input: {
    channel_id: channelId,
    message_id: messageId,
    user_id: parameter("messages.reactions.add", "user_id", "Who reacts."),
    reaction: parameter("messages.reactions.add", "reaction", "Such as 👍."),
  },
  required: ["channel_id", "message_id", "user_id", "reaction"],
  self: "user_id",
  async run({ chat, options }, args) {
    const path = { ...nameOf(args), user_id: text(args, "user_id"), reaction: text(args, "reaction") };
    const reactions = await chat.request("messages.reactions.add", { path }, options);
    return { data: Object(reactions), text: "The reaction was added." };
  },
};

const nameOf = (args: Readonly<Record<string, unknown>>) => ({
  channel_id: text(args, "channel_id"),
  message_id: text(args, "message_id"),
});
