import { insertEvent } from "./event";
import { type Route, respond } from "./route";
import { defineChange, runOnce } from "./run-once";
import { type UserRow, userColumns, userOf } from "./users";

interface SentRow extends UserRow {
  readonly message_pk: number;
  readonly sent_at: number;
}

export const sendMessage: Route = async (tools, incoming) => {
  const { parts, body } = incoming;
  const meta = body.meta ?? {};
  const values = [parts[2], body.user_id, Date.now(), body.content, meta];
  const present = ([row]: readonly SentRow[]) =>
    row && {
      message_id: `${row.sent_at}-${row.message_pk}`,
      channel_id: parts[2],
      user: userOf(row),
      type: "text",
      content: body.content,
      meta,
      created_at: row.sent_at,
      updated_at: row.sent_at,
    };
  return (await runOnce<SentRow>(tools, incoming, send, values, present)) ?? respond(403);
};

const aboutMessage = {
  channel_pk: "channel_pk",
  channel_id: "$1",
  user_pk: "sender_pk",
  user_id: "$2",
  message_created_at: "created_at",
  message_pk: "pk",
};

/** One statement, which updates the counters on the channel's row. */
const send = defineChange(
  "send",
  `sender AS (SELECT pk, ${userColumns} FROM users WHERE user_id = $2 AND deleted_at IS NULL),
  counted AS (
    UPDATE channels c SET total_message_count = c.total_message_count + 1 FROM sender
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND (
      (NOT c.is_frozen AND EXISTS (SELECT FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
      OR EXISTS (SELECT FROM managers m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
    RETURNING c.pk AS channel_pk, sender.pk AS sender_pk
  ), stored AS (
    INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content, meta)
    SELECT channel_pk, sender_pk, $3::bigint, $3::bigint, 'text', $4, $5::jsonb FROM counted
    RETURNING channel_pk, sender_pk, pk, created_at
  ), emitted AS (${insertEvent("message.created", aboutMessage, "stored")})`,
  `SELECT stored.pk AS message_pk, stored.created_at AS sent_at, ${userColumns.replaceAll(/\w+/g, "sender.$&")}
    FROM stored, sender`,
);
