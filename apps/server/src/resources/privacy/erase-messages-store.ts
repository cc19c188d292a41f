import type { Queryable, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { emit } from "../events/emit";
import { lowerReplyCounts } from "../messages/erase-store";
import { formatMessageId } from "../messages/message-id";
import { removeFromSearch } from "../search/changes-store";
import { ofLiveMessage } from "./columns";
import type { Traces } from "./walk-store";

type MessageKey = Row<"Message", "channelPk" | "createdAt" | "pk">;

// Sends to these channels wait until the step ends, so a step is short.
const messagesPerStep = 200;

/** The messages of a user. Erasing has the effects of `messages.delete`. */
export const messagesOf = (tx: Queryable): Traces<MessageKey> => ({
  pick: (shard, userPk, after) => shard.query(pick, [userPk, ...after, messagesPerStep]),
  positionOf: ({ createdAt, pk }) => [createdAt, pk],
  start: [0, 0],
  counts: "messages",
  async erase(shard, messages) {
    const channels = messages.map(({ channelPk }) => channelPk);
    const live = await shard.query(erase, [
      channels,
      messages.map(({ createdAt }) => createdAt),
      messages.map(({ pk }) => pk),
    ]);
    await tx.query(eraseReports, [channels, messages.map(formatMessageId)]);
    return live;
  },
});

const pick: Statement<MessageKey> = {
  name: "privacy.pick-messages",
  text: `SELECT channel_pk AS "channelPk", created_at AS "createdAt", pk FROM {messages}
    WHERE sender_pk = $1 AND (created_at, pk) > ($2::bigint, $3::bigint) ORDER BY created_at, pk LIMIT $4`,
};

// Messages of a deleted channel are not visible any more, so their erasure has no events and is not counted.
const erase: Statement<{ channelPk: number }> = {
  name: "privacy.erase-messages",
  text: `WITH erased AS (
      DELETE FROM {messages} m USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (channel_pk, created_at, pk)
      WHERE m.channel_pk = given.channel_pk AND m.created_at = given.created_at AND m.pk = given.pk
      RETURNING m.*
    ), answered AS (${lowerReplyCounts}
    ), ${removeFromSearch("erased")}, live AS (
      SELECT erased.*, channel_id, user_id FROM erased
      JOIN {channels} c ON c.pk = erased.channel_pk AND c.deleted_at IS NULL JOIN {users} u ON u.pk = sender_pk
    ), emitted AS (${emit(
      "message.deleted",
      ofLiveMessage,
      "(SELECT * FROM live ORDER BY created_at, pk) AS live",
    )}), counted AS (
      UPDATE {channels} c SET last_message_at = NULL
      FROM (SELECT channel_pk, max(created_at) AS newest FROM live GROUP BY channel_pk) AS each_one
      WHERE c.pk = channel_pk AND last_message_at = newest
    )
    SELECT channel_pk AS "channelPk" FROM live`,
};

// The reason of a report may quote the message.
const eraseReports: Statement<unknown> = {
  name: "privacy.erase-message-reports",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL
    WHERE channel_pk = ANY ($1::bigint[]) AND message_id = ANY ($2::text[]) RETURNING 1`,
};
