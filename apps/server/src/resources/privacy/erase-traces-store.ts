import type { Queryable, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { emit } from "../events/emit";
import { ofLiveMessage } from "./columns";
import type { Traces } from "./walk-store";

const rowsPerStep = 200;

type ReactionKey = Row<
  "Reaction",
  "channelPk" | "messageCreatedAt" | "messagePk" | "reaction" | "userPk" | "createdAt" | "position"
>;

/** The reactions of a user to all messages. Erasing subtracts them from the counts of the messages. */
export const reactions: Traces<ReactionKey> = {
  pick: (shard, userPk, after) => shard.query(pickReactions, [userPk, ...after, rowsPerStep]),
  positionOf: ({ createdAt, position }) => [createdAt, position],
  start: [0, 0],
  erase: (shard, rows) =>
    shard.query(eraseReactions, [...messagesOf(rows), rows.map(({ reaction }) => reaction), rows[0]?.userPk]),
};

type MentionKey = Row<"Mention", "channelPk" | "messageCreatedAt" | "messagePk" | "userPk">;

/** The mentions of a user in all messages. `userId` is the id that the messages contain. */
export const mentionsOf = (userId: string): Traces<MentionKey> => ({
  pick: (shard, userPk, after) => shard.query(pickMentions, [userPk, ...after, rowsPerStep]),
  positionOf: ({ channelPk, messageCreatedAt, messagePk }) => [channelPk, messageCreatedAt, messagePk],
  start: [0, 0, 0],
  erase: (shard, rows) => shard.query(eraseMentions, [...messagesOf(rows), rows[0]?.userPk, userId]),
});

const messagesOf = (rows: readonly Pick<ReactionKey, "channelPk" | "messageCreatedAt" | "messagePk">[]) => [
  rows.map(({ channelPk }) => channelPk),
  rows.map(({ messageCreatedAt }) => messageCreatedAt),
  rows.map(({ messagePk }) => messagePk),
];

const given = "unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (channel_pk, created_at, pk)";
const isGiven = (row: string, createdAt: string, pk: string) => `${row}.channel_pk = given.channel_pk
  AND ${row}.${createdAt} = given.created_at AND ${row}.${pk} = given.pk`;

const pickReactions: Statement<ReactionKey> = {
  name: "privacy.pick-reactions",
  text: `SELECT channel_pk AS "channelPk", message_created_at AS "messageCreatedAt", message_pk AS "messagePk", reaction,
      user_pk AS "userPk", created_at AS "createdAt", position
    FROM {reactions} WHERE user_pk = $1 AND (created_at, position) > ($2::bigint, $3::bigint)
    ORDER BY created_at, position LIMIT $4`,
};

// The events have no `reaction`, because it is erased: clients read the counts from the message. If another user reacts at the
// same time, the UPDATE waits, and PostgreSQL computes the counts again from the new row.
const eraseReactions: Statement<{ channelPk: number }> = {
  name: "privacy.erase-reactions",
  text: `WITH erased AS (
      DELETE FROM {reactions} r
      USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS given (channel_pk, created_at, pk, reaction)
      WHERE ${isGiven("r", "message_created_at", "message_pk")} AND r.reaction = given.reaction AND r.user_pk = $5
      RETURNING r.*
    ), counted AS (
      UPDATE {messages} m SET reactions = (
        SELECT jsonb_agg(jsonb_build_array(pair->0, counted) ORDER BY ordinal)
        FROM jsonb_array_elements(m.reactions) WITH ORDINALITY AS each (pair, ordinal),
          LATERAL (SELECT (pair->1)::integer - (pair->>0 = ANY (gone.reactions))::integer AS counted) AS sum
        WHERE counted > 0)
      FROM (
        SELECT channel_pk, message_created_at, message_pk, array_agg(reaction) AS reactions FROM erased
        GROUP BY channel_pk, message_created_at, message_pk
      ) AS gone
      WHERE m.channel_pk = gone.channel_pk AND m.created_at = gone.message_created_at AND m.pk = gone.message_pk
    ), live AS (
      SELECT erased.*, channel_id, user_id FROM erased
      JOIN {channels} c ON c.pk = erased.channel_pk AND c.deleted_at IS NULL JOIN {users} u ON u.pk = user_pk
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

const pickMentions: Statement<MentionKey> = {
  name: "privacy.pick-mentions",
  text: `SELECT channel_pk AS "channelPk", message_created_at AS "messageCreatedAt", message_pk AS "messagePk",
      user_pk AS "userPk"
    FROM {mentions} WHERE user_pk = $1 AND (channel_pk, message_created_at, message_pk) > ($2::bigint, $3::bigint, $4::bigint)
    ORDER BY channel_pk, message_created_at, message_pk LIMIT $5`,
};

const eraseMentions: Statement<{ channelPk: number }> = {
  name: "privacy.erase-mentions",
  text: `WITH erased AS (
      DELETE FROM {mentions} mention USING ${given}
      WHERE ${isGiven("mention", "message_created_at", "message_pk")} AND mention.user_pk = $4 RETURNING mention.*
    ), changed AS (
      UPDATE {messages} m SET mentions = NULLIF(m.mentions - $5::text, '[]') FROM erased
      WHERE m.channel_pk = erased.channel_pk AND m.created_at = erased.message_created_at AND m.pk = erased.message_pk
      RETURNING m.channel_pk, m.created_at, m.pk, m.sender_pk
    ), live AS (
      SELECT changed.*, channel_id, user_id FROM changed
      JOIN {channels} c ON c.pk = changed.channel_pk AND c.deleted_at IS NULL LEFT JOIN {users} u ON u.pk = sender_pk
    ), emitted AS (${emit(
      "message.updated",
      ofLiveMessage,
      "(SELECT * FROM live ORDER BY created_at, pk) AS live",
    )})
    SELECT channel_pk AS "channelPk" FROM live`,
};

const eventsPerStep = 5_000;

/** The last event that was searched: the index of its node, and its key. */
export interface EventCursor {
  readonly part: number;
  readonly after: readonly [channelPk: number, pk: number];
}

/** Removes the reactions of the users from one page of the events. Returns undefined after the last page. */
export async function eraseSomeEvents(
  tx: Queryable,
  users: readonly number[],
  { part: partIndex = 0, after = [0, 0] }: Partial<EventCursor>,
): Promise<EventCursor | undefined> {
  // The coordinator comes last, because events move from the shards to it.
  const parts = tx.shards().map((shard) => ({ shard, erase: eraseEvents }));
  if (tx.isDistributed) parts.push({ shard: tx, erase: eraseCollected });
  const part = parts[partIndex];
  if (part === undefined) return undefined;
  const [last] = await part.shard.query(part.erase, [...after, eventsPerStep, users]);
  return last === undefined
    ? { part: partIndex + 1, after: [0, 0] }
    : { part: partIndex, after: [last.channelPk, last.pk] };
}

const eraseDetails = (events: string) => `WITH page AS MATERIALIZED (
      SELECT channel_pk, pk, user_pk = ANY ($4::bigint[]) AND detail IS NOT NULL AND starts_with(type, 'reaction.') AS is_of
      FROM ${events} WHERE (channel_pk, pk) > ($1::bigint, $2::bigint) ORDER BY channel_pk, pk LIMIT $3
    ), erased AS (
      UPDATE ${events} e SET detail = NULL FROM page
      WHERE is_of AND e.channel_pk = page.channel_pk AND e.pk = page.pk
    )
    SELECT channel_pk AS "channelPk", pk FROM page ORDER BY channel_pk DESC, pk DESC LIMIT 1`;

const eraseEvents: Statement<{ channelPk: number; pk: number }> = {
  name: "privacy.erase-events",
  text: eraseDetails("{events}"),
};

const eraseCollected: Statement<{ channelPk: number; pk: number }> = {
  name: "privacy.erase-collected-events",
  text: eraseDetails("events"),
};
