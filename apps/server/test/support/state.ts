import { type Database, readSchemas, type Statement } from "../../src/db/db";
import { isDistributed } from "./citus";

/** A hash of all stored rows, and the number of events. */
export async function readState(db: Database): Promise<string> {
  const states = [...(await db.query(readOthers)), ...(await readSchemas(db, readChannels, [])).flat()];
  return states.map(({ hash }) => hash).join(" ");
}

const ofChannels = [
  "channels",
  "members",
  "managers",
  "mutes",
  "bans",
  "messages",
  "reactions",
  "mentions",
  "files",
  "message_chunks",
  "slow_mode_sends",
];
const others = [
  "users",
  "blocks",
  "devices",
  "last_seen_times",
  "reports",
  "sub_keys",
  "webhooks",
  "filters",
  "hooks",
  "erasures",
  "erased_users",
];

/** A rejected request may be the last use of a key, and the latest call of a hook. */
const text = "(to_jsonb(row) - '{last_used_at,attempts,paused_until}'::text[])::text";

const hashOf = (table: string) =>
  `(SELECT md5(string_agg(md5(${text}), '' ORDER BY ${text})) FROM ${table} AS row)`;
const defineRead = (name: string, parts: readonly string[]): Statement<{ hash: string }> => ({
  name,
  text: `SELECT concat_ws(' ', ${parts.join(", ")}) AS hash`,
});

const readChannels = defineRead("test.read-channels", [
  ...ofChannels.map(hashOf),
  // On Citus, events leave their schema a second after they are in the feed.
  ...(isDistributed ? [] : ["(SELECT count(*) FROM events)"]),
]);
const readOthers = defineRead("test.read-others", others.map(hashOf));
