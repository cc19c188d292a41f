import type { PersonalRows } from "../../chat/erasure";
import { emitChange, eraseChosen } from "../../chat/messages/erase-store";
import type { Statement } from "../../db/db";
import { columnsOf, type Row } from "../../db/row";

// Sends to the channels of a step wait until it ends, so a step is short.
const rowsPerStep = 200;

type MessageKey = Row<"Message", "channelPk" | "createdAt" | "pk">;

/** The messages of a user. Erasing has the effects of `messages.delete`. */
export const messages: PersonalRows<MessageKey> = {
  pick: (tx, userPk, after) => tx.query(pickMessages, [userPk, ...after, rowsPerStep]),
  positionOf: ({ createdAt, pk }) => [createdAt, pk],
  start: [0, 0],
  areMessages: true,
  erase: (tx, rows) => tx.query(eraseMessages, columnsOf(rows, "channelPk", "createdAt", "pk")),
};

type MentionKey = Row<"Mention", "channelPk" | "messageCreatedAt" | "messagePk">;

/** The mentions of a user in all messages. `userId` is the id that the messages contain. */
export const mentionsOf = (userId: string): PersonalRows<MentionKey> => ({
  pick: (tx, userPk, after) => tx.query(pickMentions, [userPk, ...after, rowsPerStep]),
  positionOf: ({ channelPk, messageCreatedAt, messagePk }) => [channelPk, messageCreatedAt, messagePk],
  start: [0, 0, 0],
  erase: (tx, rows, userPk) =>
    tx.query(eraseMentions, [
      ...columnsOf(rows, "channelPk", "messageCreatedAt", "messagePk"),
      userPk,
      userId,
    ]),
});

const given = "unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (channel_pk, created_at, pk)";

const pickMessages: Statement<MessageKey> = {
  name: "privacy.pick-messages",
  text: `SELECT channel_pk AS "channelPk", created_at AS "createdAt", pk FROM messages
    WHERE sender_pk = $1 AND (created_at, pk) > ($2::bigint, $3::bigint) ORDER BY created_at, pk LIMIT $4`,
};

const eraseMessages: Statement<{ channelPk: number }> = {
  name: "privacy.erase-messages",
  text: `WITH chosen AS (SELECT * FROM ${given}), ${eraseChosen}
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
      WHERE mention.channel_pk = given.channel_pk AND mention.message_created_at = given.created_at
        AND mention.message_pk = given.pk AND mention.user_pk = $4
      RETURNING mention.*
    ), changed AS (
      UPDATE messages m SET mentions = NULLIF(m.mentions - $5::text, '[]') FROM erased
      WHERE m.channel_pk = erased.channel_pk AND m.created_at = erased.message_created_at AND m.pk = erased.message_pk
      RETURNING m.channel_pk, m.created_at, m.pk, m.sender_pk
    ), live AS (
      SELECT changed.*, channel_id FROM changed JOIN channels c ON c.pk = channel_pk AND c.deleted_at IS NULL
    ), emitted AS (${emitChange("message.updated", "live", "channel_id")})
    SELECT channel_pk AS "channelPk" FROM live`,
};
