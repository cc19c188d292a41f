import type { Db, Statement } from "../../src/db/db";

/** A hash of all stored rows. */
export async function readState(db: Db): Promise<string> {
  const [state] = await db.query(read);
  return state?.hash ?? "";
}

const tables = [
  "users",
  "channels",
  "members",
  "managers",
  "mutes",
  "bans",
  "reports",
  "messages",
  "reactions",
  "mentions",
  "files",
  "message_chunks",
  "sub_keys",
  "webhooks",
  "erasures",
  "erased_users",
];

/** A rejected request may be the last use of a key. */
const text = "(to_jsonb(row) - 'last_used_at')::text";

const read: Statement<{ hash: string }> = {
  name: "test.read-state",
  text: `SELECT concat_ws(' ', ${tables
    .map((table) => `(SELECT md5(string_agg(md5(${text}), '' ORDER BY ${text})) FROM ${table} AS row)`)
    .join(", ")}) AS hash`,
};
