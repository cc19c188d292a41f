import { emit } from "../../chat/emit";
import { lowerReplyCounts } from "../../chat/messages/erase-store";
import type { Traces } from "../../chat/traces";
import type { Statement } from "../../db/db";
import type { Row } from "../../db/row";

// Sends to the channels of a step wait until it ends, so a step is short.
const rowsPerStep = 200;

type MessageKey = Row<"Message", "channelPk" | "createdAt" | "pk">;

/** The messages of a user. Erasing has the effects of `messages.delete`. */
export const messages: Traces<MessageKey> = {
  pick: (schema, userPk, after) => schema.query(pickMessages, [userPk, ...after, rowsPerStep]),
  positionOf: ({ createdAt, pk }) => [createdAt, pk],
  start: [0, 0],
  erase: (schema, rows) =>
    schema.query(eraseMessages, [
      rows.map(({ channelPk }) => channelPk),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ pk }) => pk),
    ]),
};

type MentionKey = Row<"Mention", "channelPk" | "messageCreatedAt" | "messagePk">;

/** The mentions of a user in all messages. `userId` is the id that the messages contain. */
export const mentionsOf = (userId: string): Traces<MentionKey> => ({
  pick: (schema, userPk, after) => schema.query(pickMentions, [userPk, ...after, rowsPerStep]),
  positionOf: ({ channelPk, messageCreatedAt, messagePk }) => [channelPk, messageCreatedAt, messagePk],
  start: [0, 0, 0],
  erase: (schema, rows, userPk) => schema.query(eraseMentions, [...messagesOf(rows), userPk, userId]),
});

const messagesOf = (rows: readonly MentionKey[]) => [
  rows.map(({ channelPk }) => channelPk),
  rows.map(({ messageCreatedAt }) => messageCreatedAt),
  rows.map(({ messagePk }) => messagePk),
];

const given = "unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (channel_pk, created_at, pk)";
const isGiven = (row: string, createdAt: string, pk: string) => `${row}.channel_pk = given.channel_pk
  AND ${row}.${createdAt} = given.created_at AND ${row}.${pk} = given.pk`;

/** The columns of the rows `live`, which are messages with the ids of their channel and sender, for their events. */
const ofLiveMessage = {
  channelPk: "channel_pk",
  channelId: "channel_id",
  userPk: "sender_pk",
  userId: "user_id",
  messageCreatedAt: "created_at",
  messagePk: "pk",
} as const;

const pickMessages: Statement<MessageKey> = {
  name: "privacy.pick-messages",
  text: `SELECT channel_pk AS "channelPk", created_at AS "createdAt", pk FROM messages
    WHERE sender_pk = $1 AND (created_at, pk) > ($2::bigint, $3::bigint) ORDER BY created_at, pk LIMIT $4`,
};

// Messages of a deleted channel are not visible any more, so their erasure has no events and is not counted.
const eraseMessages: Statement<{ channelPk: number }> = {
  name: "privacy.erase-messages",
  text: `WITH erased AS (
      DELETE FROM messages m USING ${given}
      WHERE ${isGiven("m", "created_at", "pk")}
      RETURNING m.*
    ), answered AS (${lowerReplyCounts}
    ), live AS (
      SELECT erased.*, channel_id, user_id FROM erased
      JOIN channels c ON c.pk = erased.channel_pk AND c.deleted_at IS NULL JOIN users u ON u.pk = sender_pk
    ), emitted AS (${emit(
      "message.deleted",
      ofLiveMessage,
      "(SELECT * FROM live ORDER BY created_at, pk) AS live",
    )}), counted AS (
      UPDATE channels c SET moderation_revision = moderation_revision + 1,
        last_message_at = NULLIF(last_message_at, newest)
      FROM (SELECT channel_pk, max(created_at) AS newest FROM live GROUP BY channel_pk) AS each_one
      WHERE c.pk = channel_pk
    )
    SELECT channel_pk AS "channelPk" FROM live`,
};

const pickMentions: Statement<MentionKey> = {
  name: "privacy.pick-mentions",
  text: `SELECT channel_pk AS "channelPk", message_created_at AS "messageCreatedAt", message_pk AS "messagePk"
    FROM mentions WHERE user_pk = $1 AND (channel_pk, message_created_at, message_pk) > ($2::bigint, $3::bigint, $4::bigint)
    ORDER BY channel_pk, message_created_at, message_pk LIMIT $5`,
};

const eraseMentions: Statement<{ channelPk: number }> = {
  name: "privacy.erase-mentions",
  text: `WITH erased AS (
      DELETE FROM mentions mention USING ${given}
      WHERE ${isGiven("mention", "message_created_at", "message_pk")} AND mention.user_pk = $4 RETURNING mention.*
    ), changed AS (
      UPDATE messages m SET mentions = NULLIF(m.mentions - $5::text, '[]') FROM erased
      WHERE m.channel_pk = erased.channel_pk AND m.created_at = erased.message_created_at AND m.pk = erased.message_pk
      RETURNING m.channel_pk, m.created_at, m.pk, m.sender_pk
    ), live AS (
      SELECT changed.*, channel_id, user_id FROM changed
      JOIN channels c ON c.pk = changed.channel_pk AND c.deleted_at IS NULL LEFT JOIN users u ON u.pk = sender_pk
    ), emitted AS (${emit(
      "message.updated",
      ofLiveMessage,
      "(SELECT * FROM live ORDER BY created_at, pk) AS live",
    )})
    SELECT channel_pk AS "channelPk" FROM live`,
};
