import type { Route } from "./route";
import { userColumns, userOf } from "./users";

export const sendMessage: Route = async ({ pool }, { parts, body }) => {
  const now = Date.now();
  const meta = body.meta ?? {};
  const values = [parts[2], body.user_id, now, body.content, meta];
  const { rows } = await pool.query({ name: "send", text: send, values });
  const [sender] = rows;
  if (sender === undefined) return [403, ""];
  const message = {
    message_id: String(sender.message_pk),
    channel_id: parts[2],
    user: userOf(sender),
    type: "text",
    content: body.content,
    meta,
    created_at: now,
    updated_at: now,
  };
  return [201, JSON.stringify(message)];
};

/** One statement, with the one counter row of the channel. */
const send = `WITH sender AS (SELECT pk, ${userColumns} FROM users WHERE user_id = $2 AND deleted_at IS NULL),
  place AS (
    UPDATE channels c SET total_message_count = c.total_message_count + 1 FROM sender
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND (
      (NOT c.is_frozen AND EXISTS (SELECT FROM members m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
      OR EXISTS (SELECT FROM managers m WHERE m.channel_pk = c.pk AND m.user_pk = sender.pk))
    RETURNING c.pk AS channel_pk, sender.pk AS sender_pk
  ), stored AS (
    INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content, meta)
    SELECT channel_pk, sender_pk, $3::bigint, $3::bigint, 'text', $4, $5::jsonb FROM place RETURNING pk
  )
  SELECT stored.pk AS message_pk, ${userColumns} FROM stored, sender`;
