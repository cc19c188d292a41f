import { emit } from "../../chat/emit";
import type { PersonalRows } from "../../chat/erasure";
import type { Statement } from "../../db/db";
import { columnsOf, type Row } from "../../db/row";
import { countsWith } from "./store";

// Sends to the channels of a step wait until it ends, so a step is short.
const rowsPerStep = 200;

type ReactionKey = Row<
  "Reaction",
  "channelPk" | "messageCreatedAt" | "messagePk" | "reaction" | "createdAt" | "position"
>;

/** The reactions of a user to all messages. Erasing subtracts them from the counts of the messages. */
export const reactionsOfUser: PersonalRows<ReactionKey> = {
  pick: (tx, userPk, after) => tx.query(pick, [userPk, ...after, rowsPerStep]),
  positionOf: ({ createdAt, position }) => [createdAt, position],
  start: [0, 0],
  erase: (tx, rows, userPk) =>
    tx.query(erase, [...columnsOf(rows, "channelPk", "messageCreatedAt", "messagePk", "reaction"), userPk]),
};

const pick: Statement<ReactionKey> = {
  name: "reactions.pick-of-user",
  text: `SELECT channel_pk AS "channelPk", message_created_at AS "messageCreatedAt", message_pk AS "messagePk", reaction,
      created_at AS "createdAt", position
    FROM reactions WHERE user_pk = $1 AND (created_at, position) > ($2::bigint, $3::bigint)
    ORDER BY created_at, position LIMIT $4`,
};

// The events have no `reaction`, because it is erased: clients read the counts from the message. If another user reacts at the
// same time, the UPDATE waits, and PostgreSQL computes the counts again from the new row.
const erase: Statement<{ channelPk: number }> = {
  name: "reactions.erase-of-user",
  text: `WITH erased AS (
      DELETE FROM reactions r
      USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS given (channel_pk, created_at, pk, reaction)
      WHERE r.channel_pk = given.channel_pk AND r.message_created_at = given.created_at AND r.message_pk = given.pk
        AND r.reaction = given.reaction AND r.user_pk = $5
      RETURNING r.*
    ), counted AS (
      UPDATE messages m SET reactions = ${countsWith("-", "ANY (gone.reactions)")}
      FROM (
        SELECT channel_pk, message_created_at, message_pk, array_agg(reaction) AS reactions FROM erased
        GROUP BY channel_pk, message_created_at, message_pk
      ) AS gone
      WHERE m.channel_pk = gone.channel_pk AND m.created_at = gone.message_created_at AND m.pk = gone.message_pk
    ), live AS (
      SELECT erased.*, channel_id, user_id FROM erased
      JOIN channels c ON c.pk = erased.channel_pk AND c.deleted_at IS NULL JOIN users u ON u.pk = user_pk
    ), emitted AS (${emit(
      "reaction.removed",
      {
        channelPk: "channel_pk",
        channelId: "channel_id",
        userPk: "user_pk",
        userId: "user_id",
        messageCreatedAt: "message_created_at",
        messagePk: "message_pk",
      },
      "live",
    )})
    SELECT channel_pk AS "channelPk" FROM live`,
};
