// Converts what Sendbird exported to files that `madang import` reads. Nothing is dropped without a message.
//   node guides/from-sendbird.ts exported migrated
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ids } from "@madang/client";

interface User {
  user_id: string;
  nickname: string;
  profile_url?: string;
  metadata?: Record<string, string>;
  role?: "operator" | "";
}
interface Channel {
  channel_url: string;
  name: string;
  cover_url?: string;
  freeze?: boolean;
  members?: User[];
}
interface Message {
  message_id: number;
  type: "MESG" | "FILE" | "ADMM";
  created_at: number;
  updated_at?: number;
  is_removed?: boolean;
  user?: User | null;
  message?: string;
  /** `{}` in a text message. */
  file?: { name?: string; url?: string; type?: string; size?: number };
  /** The message that this one replies to. */
  parent_message_id?: number | null;
  mention_type?: "users" | "channel";
  mentioned_users?: User[];
}

const [from = "", to = ""] = process.argv.slice(2);
const read = (path: string) => JSON.parse(readFileSync(join(from, path), "utf8"));
const write = (path: string, rows: readonly object[]) =>
  writeFileSync(join(to, path), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

const problems: string[] = [];
/** Fields of Sendbird that say nothing in Madang. All others become `meta`: add yours. */
const ignored = [
  "channel_url",
  "channel_type",
  "created_at",
  "updated_at",
  "is_active",
  "is_online",
  "last_seen_at",
  "state",
  "parent_message_text",
  "thread_info",
];

/** Your metadata, and what Madang has no field for. A value of `meta` has at most 200 bytes. */
function toMeta(where: string, fields: object, metadata: object = {}) {
  const meta = new Map<string, string>();
  const others = Object.entries(fields).filter(([name]) => !ignored.includes(name));
  for (const [name, value] of [...Object.entries(metadata), ...others]) {
    if (isEmpty(value)) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (Buffer.byteLength(text) > 200)
      problems.push(`${where}: ${name} has more than 200 bytes and is left out`);
    else if (meta.has(name))
      problems.push(`${where}: ${name} is also a key of the metadata, and the field is left out`);
    else meta.set(name, text);
  }
  return meta.size > 0 ? { meta: Object.fromEntries(meta) } : {};
}

const isEmpty = (value: unknown) =>
  ['""', "null", "false", "[]", "{}"].includes(JSON.stringify(value ?? null));

const users = new Map<string, object>();
/** Adds a user, and returns the id: different ids stay different. */
function addUser(
  where: string,
  { user_id: source, nickname, profile_url, metadata, role: _, ...rest }: User,
) {
  const user_id = ids.encode(source);
  const user = { user_id, name: nickname || source, ...(profile_url && { profile_url }) };
  if (!users.has(user_id))
    users.set(user_id, { ...user, ...toMeta(`${where}: ${source}`, rest, metadata ?? {}) });
  return user_id;
}

const channels = new Map<string, object>();
const [members, managers]: [object[], object[]] = [[], []];
for (const { channel_url, name, cover_url, freeze, members: list, ...rest } of read(
  "channels.json",
) as Channel[]) {
  const where = `channels.json: ${channel_url}`;
  const channel_id = ids.encode(channel_url);
  const channel = { channel_id, name: name || channel_url, ...(cover_url && { profile_url: cover_url }) };
  channels.set(channel_id, { ...channel, ...(freeze && { freeze }), ...toMeta(where, rest) });
  if (list === undefined) problems.push(`${where}: has no members. Export the channels with their members`);
  for (const member of list ?? []) {
    const entry = { channel_id, user_id: addUser(where, member) };
    members.push(entry);
    if (member.role === "operator") managers.push(entry);
  }
}

mkdirSync(join(to, "messages"), { recursive: true });
const counts = { messages: 0, removed: 0 };
for (const name of readdirSync(join(from, "messages")).sort()) {
  const channelId = ids.encode(name.replace(/\.json$/, ""));
  if (!channels.has(channelId)) problems.push(`messages/${name}: the channel is not in channels.json`);
  const rows: { created_at: number; [field: string]: unknown }[] = [];
  for (const source of read(join("messages", name)) as Message[]) {
    const { message_id, type, created_at, updated_at = 0, is_removed, user, message, ...others } = source;
    const { file: maybeFile, parent_message_id, mentioned_users = [], ...rest } = others;
    const file = type === "FILE" ? maybeFile : undefined;
    const where = `messages/${name}: ${message_id}`;
    if (is_removed) {
      counts.removed += 1;
      continue;
    }
    // A message of the application has no sender.
    const sender = type === "ADMM" ? { type: "system" } : user && { user_id: addUser(where, user) };
    if (!sender) problems.push(`${where}: has no user and is left out`);
    else {
      const { name: fileName, url, type: mime, size, ...more } = file ?? {};
      const body = file ? { file: { name: fileName, url, type: mime, size } } : { content: message };
      const mentions = mentioned_users.map((mentioned) => addUser(where, mentioned));
      const links = {
        ...(parent_message_id && { reply_to: String(parent_message_id) }),
        ...(mentions.length > 0 && { mentions }),
      };
      const kept = {
        ...rest,
        // Mentions say which users it names.
        ...(rest.mention_type === "users" && { mention_type: "" }),
        ...(file && { message }),
        ...(updated_at > created_at && { edited_at: new Date(updated_at).toISOString() }),
        ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`file_${key}`, value])),
      };
      const row = { external_id: String(message_id), ...sender, created_at, ...body, ...links };
      rows.push({ ...row, ...toMeta(where, kept) });
    }
  }
  rows.sort((one, other) => one.created_at - other.created_at);
  write(join("messages", `${channelId}.ndjson`), rows);
  counts.messages += rows.length;
}
write("users.ndjson", [...users.values()]);
write("channels.ndjson", [...channels.values()]);
write("members.ndjson", members);
write("managers.ndjson", managers);

console.log(
  `${users.size} users, ${channels.size} channels, ${members.length} members, ${counts.messages} messages`,
);
console.log(`left out: ${counts.removed} removed messages`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
