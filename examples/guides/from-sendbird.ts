// Converts messages as Sendbird exports them, a JSON array per channel, to files that `madang import` reads.
//   node guides/from-sendbird.ts exported moved
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface SendbirdMessage {
  message_id: number;
  type: "MESG" | "FILE" | "ADMM";
  created_at: number;
  user?: { user_id: string; nickname: string; profile_url: string };
  message?: string;
  file?: { name: string; url: string; type: string; size: number };
}

const [from = "", to = ""] = process.argv.slice(2);
/** Ids have 4 to 80 lower-case letters, digits and `_`. */
const toId = (id: string) =>
  id
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, "_")
    .padEnd(4, "_")
    .slice(0, 80);
const toLines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const users = new Map<string, object>();
const channels: object[] = [];
mkdirSync(join(to, "messages"), { recursive: true });
for (const name of readdirSync(from).sort()) {
  const channelId = toId(name.replace(".json", ""));
  const messages: SendbirdMessage[] = JSON.parse(readFileSync(join(from, name), "utf8"));
  const rows = messages.flatMap(({ message_id, type, created_at, user, message, file }) => {
    // Messages of the system have no sender.
    if (type === "ADMM" || user === undefined) return [];
    const { profile_url } = user;
    const user_id = toId(user.user_id);
    users.set(user_id, { user_id, name: user.nickname || user_id, ...(profile_url && { profile_url }) });
    const body = type === "FILE" ? { file } : { content: message };
    return [{ external_id: String(message_id), user_id, created_at, ...body }];
  });
  channels.push({ channel_id: channelId, name: channelId });
  writeFileSync(join(to, "messages", `${channelId}.ndjson`), toLines(rows));
}
writeFileSync(join(to, "users.ndjson"), toLines([...users.values()]));
writeFileSync(join(to, "channels.ndjson"), toLines(channels));
console.log(`${users.size} users, ${channels.length} channels`);
