import type { Operation } from "./error-codes";
import type { Check } from "./options";
import { any, array, boolean, integer, meta, object, optional, string, type Test } from "./shape";

const user = object({
  user_id: string,
  name: string,
  profile_url: optional(string),
  meta: optional(meta),
  created_at: integer,
  updated_at: integer,
});

const member = object({ joined_at: integer }, user);

const channel = object({
  channel_id: string,
  name: string,
  profile_url: optional(string),
  type: string,
  freeze: boolean,
  total_message_count: integer,
  total_file_count: integer,
  meta: optional(meta),
  created_at: integer,
  updated_at: integer,
});

const envelope = object({
  message_id: string,
  channel_id: string,
  user,
  type: string,
  meta: optional(meta),
  created_at: integer,
  updated_at: integer,
});
const text = object({ content: string }, envelope);
const file = object({ file: object({ type: string, name: string, url: string, size: integer }) }, envelope);
/** A type that is not known yet passes with what every message has. */
const message: Test = (value) => {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return (type === "text" ? text : type === "file" ? file : envelope)(value);
};

const next = optional(string);
const subKey = object({ key: string, created_at: integer });
const userPage = object({ users: array(user), next });
const users = array(user);
const members = array(member);

const answers: Record<Operation, Test> = {
  "users.list": (value) => (Array.isArray(value) ? users : userPage)(value),
  "users.get": user,
  "users.create": user,
  "users.update": user,
  "users.delete": any,
  "users.meta.merge": user,
  "users.meta.delete": user,
  "users.meta.deleteKey": user,
  "channels.create": object({ members: users }, channel),
  "channels.list": object({ channels: array(channel), next }),
  "channels.get": channel,
  "channels.update": channel,
  "channels.delete": any,
  "channels.freeze": channel,
  "channels.members.list": members,
  "channels.members.join": any,
  "channels.members.leave": any,
  "channels.managers.list": members,
  "channels.managers.add": any,
  "channels.managers.remove": any,
  "channels.managers.revoke": any,
  "messages.send": message,
  "exports.messages": object({ messages: array(message), timezone: string, next }),
  "keys.list": array(subKey),
  "keys.create": subKey,
  "keys.delete": any,
  "keys.revoke": any,
};

/**
 * Checks an answer against the contract and names the first field that is wrong, never its value. What is new passes:
 * unknown fields, unknown types of messages; and `meta` may be absent.
 *
 * @example const chat = new ChatClient({ baseUrl, apiKey, check: checkAnswer });
 */
export const checkAnswer: Check = (operation, answer) => answers[operation](answer);
