import type { Load } from "../faults/load";
import { openDatabase } from "./database";

export interface DataCheck {
  readonly lost: number;
  readonly duplicated: number;
  /** The violated rules. */
  readonly violations: readonly string[];
}

/** PostgreSQL has no longer names. The rules differ before it. */
const maxNameLength = 50;

/**
 * Compares the acknowledged writes with the stored rows, and checks the rules of the data. No writes may be running.
 */
export async function checkData(databaseUrl: string, load?: Load): Promise<DataCheck> {
  const db = await openDatabase(databaseUrl);
  /** The rows of every part of the database. */
  const select = async <Row>(name: string, text: string, parts = db.schemas()) =>
    (
      await Promise.all(
        parts.map((part) => part.query<Row>({ name: `test.${name}`.slice(0, maxNameLength), text })),
      )
    ).flat();
  try {
    const count = async (kind: string, sql: string, parts = db.schemas()) => {
      const rows = await select<{ name: string; count: number }>(kind, sql, parts);
      return new Map(rows.map(({ name, count }) => [name, count]));
    };
    const stored = {
      messages: await count(
        "messages",
        "SELECT content AS name, count(*) FROM messages WHERE content IS NOT NULL GROUP BY 1",
      ),
      channels: await count(
        "channels",
        "SELECT name, count(*) FROM channels WHERE deleted_at IS NULL GROUP BY 1",
      ),
      users: await count("users", "SELECT name, count(*) FROM users WHERE deleted_at IS NULL GROUP BY 1", [
        db,
      ]),
    };
    const kinds = ["messages", "channels", "users"] as const;
    const lost = kinds.flatMap((kind) => (load?.[kind] ?? []).filter((name) => !stored[kind].has(name)));
    const duplicated = [...stored.messages.values()].filter((times) => times > 1);
    const violations: string[] = [];
    for (const [rule, sql] of Object.entries(rules)) {
      const parts = rule.includes("sub keys") ? [db] : db.schemas();
      const rows = await select<{ count: number }>(
        rule,
        `SELECT count(*) AS count FROM (${sql}) found`,
        parts,
      );
      const found = rows.reduce((sum, { count }) => sum + count, 0);
      if (found > 0) violations.push(`${rule}: ${found} violations`);
    }
    return { lost: lost.length, duplicated: duplicated.length, violations };
  } finally {
    await db.close();
  }
}

const live = "c.deleted_at IS NULL";
const rowsOf = (table: string, filter = "") =>
  `(SELECT count(*) FROM ${table} x WHERE x.channel_pk = c.pk ${filter})`;

/**
 * A channel counts its deleted messages too. Without an event of a deletion, it has none. On Citus, where channels are in schemas of
 * their own, the collected events are elsewhere.
 */
const isWrongCount = (count: string, rows: string) =>
  `(${count} < ${rows} OR (${count} <> ${rows} AND 'channels'::regclass = to_regclass('public.channels') AND c.pk NOT IN (
    SELECT channel_pk FROM events WHERE type = 'message.deleted' AND channel_pk IS NOT NULL)))`;

/** Rules that hold while no writes are running. Each statement selects the rows that violate one. */
const rules = {
  "the member count is the number of members": `SELECT FROM channels c WHERE ${live} AND member_count <> ${rowsOf("members")}`,
  "the manager count is the number of managers": `SELECT FROM channels c WHERE ${live} AND manager_count <> ${rowsOf("managers")}`,
  "the message count is the number of messages, and of those that were deleted": `SELECT FROM channels c WHERE ${live} AND ${isWrongCount("total_message_count", rowsOf("messages"))}`,
  "the file count is the number of files, and of those that were deleted": `SELECT FROM channels c WHERE ${live} AND ${isWrongCount("total_file_count", rowsOf("messages", "AND x.type = 'file'"))}`,
  "every channel of the load has its two members": `SELECT FROM channels c WHERE ${live} AND channel_id LIKE 'c\\_r%' AND member_count <> 2`,
  "no channel exceeds its limits": "SELECT FROM channels WHERE member_count > 100 OR manager_count > 10",
  "no deleted user is a participant once the sweeper is done": `SELECT FROM members m JOIN users u ON u.pk = m.user_pk WHERE u.deleted_at IS NOT NULL AND NOT u.needs_sweep`,
  "no deleted user is a manager once the sweeper is done": `SELECT FROM managers m JOIN users u ON u.pk = m.user_pk WHERE u.deleted_at IS NOT NULL AND NOT u.needs_sweep`,
  "only deleted users are swept": "SELECT FROM users WHERE needs_sweep AND deleted_at IS NULL",
  "no message is newer than its channel's last_message_at": `SELECT FROM channels c JOIN messages m ON m.channel_pk = c.pk WHERE m.created_at > c.latest_at`,
  "the time of the last message is that of the newest one": `SELECT FROM channels c WHERE ${live} AND
    last_message_at <> (SELECT COALESCE(max(m.created_at), 0) FROM messages m WHERE m.channel_pk = c.pk)`,
  "a pair channel has only the pair as members": `SELECT FROM members m JOIN channels c ON c.pk = m.channel_pk
    WHERE c.is_pair_only AND m.user_pk NOT IN (c.first_participant_pk, COALESCE(c.second_participant_pk, 0))`,
  "every message has a sender, unless it is a system message":
    "SELECT FROM messages m LEFT JOIN users u ON u.pk = m.sender_pk WHERE u.pk IS NULL AND type <> 'system'",
  "the reply count is the number of replies": `SELECT FROM messages m WHERE reply_count <> (
    SELECT count(*) FROM messages r WHERE r.channel_pk = m.channel_pk AND r.reply_to_created_at = m.created_at
      AND r.reply_to_pk = m.pk)`,
  "the counts of reactions are the numbers of reactions": `SELECT FROM messages m WHERE COALESCE((
      SELECT jsonb_agg(pair ORDER BY pair) FROM jsonb_array_elements(reactions) AS pair), '[]') <> COALESCE((
      SELECT jsonb_agg(jsonb_build_array(reaction, users) ORDER BY jsonb_build_array(reaction, users)) FROM (
        SELECT reaction, count(*) AS users FROM reactions r WHERE r.channel_pk = m.channel_pk
          AND r.message_created_at = m.created_at AND r.message_pk = m.pk GROUP BY reaction) AS each_one), '[]')`,
  "the mentions of a message are those by user": `SELECT FROM messages m WHERE COALESCE((
      SELECT jsonb_agg(id ORDER BY id) FROM jsonb_array_elements_text(mentions) AS id), '[]') <> COALESCE((
      SELECT jsonb_agg(u.user_id ORDER BY u.user_id) FROM mentions x JOIN users u ON u.pk = x.user_pk
      WHERE x.channel_pk = m.channel_pk AND x.message_created_at = m.created_at AND x.message_pk = m.pk), '[]')`,
  "no user has more than ten metadata pairs":
    "SELECT FROM users WHERE (SELECT count(*) FROM jsonb_object_keys(meta)) > 10",
  "there are at most ten sub keys": "SELECT master_id FROM sub_keys GROUP BY 1 HAVING count(*) > 10",
};
