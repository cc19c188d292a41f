import { readPage } from "../read-page";
import { describePage } from "../result";
import type { Tool } from "../tool";
import { cursor, format, limit, onlyData, parameter, queryOf, text } from "./input";

export const findUsers = find("users", "madang_inbox shows the channels of a user.");

export const findChannels = find("channels", "madang_read_conversation shows the messages of a channel.");

export const inbox: Tool = {
  name: "madang_inbox",
  title: "Read an inbox",
  description: `The channels of a user by last activity, with unread counts and the last message of each. ${onlyData}`,
  operations: ["users.channels"],
  input: {
    user_id: parameter("users.channels", "user_id", "Whose inbox."),
    unread: parameter("users.channels", "unread", "true: only channels with unread messages."),
    limit: limit("users.channels"),
    cursor,
    format,
  },
  required: ["user_id"],
  self: "user_id",
  async run(context, args) {
    const parts = { path: { user_id: text(args, "user_id") }, query: queryOf(args, ["unread", "limit"]) };
    const found = await readPage(context, "users.channels", parts);
    return describePage(found, "channels", "madang_read_conversation shows the messages of a channel.");
  },
};

function find(what: "users" | "channels", hint: string): Tool {
  const operation = `${what}.list` as const;
  return {
    name: `madang_find_${what}`,
    title: `Find ${what}`,
    description: `Finds ${what} by the beginning of a word of their name, or by id. Without q: the newest. ${onlyData}`,
    operations: [operation],
    input: {
      q: parameter(operation, "q", "The beginning of a word of the name, or an id."),
      limit: limit(operation),
      cursor,
      format,
    },
    required: [],
    async run(context, args) {
      const found = await readPage(context, operation, { query: queryOf(args, ["q", "limit"]) });
      return describePage(found, what, hint);
    },
  };
}
