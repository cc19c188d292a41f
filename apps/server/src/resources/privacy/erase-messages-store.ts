import type { Queryable, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { emit } from "../events/emit";
import { lowerReplyCounts } from "../messages/erase-store";
import { formatMessageId } from "../messages/message-id";
import { removeFromSearch } from "../search/changes-store";

/** Up to where the messages are erased: of a shard, of a user, after a position. */
export interface MessagePlace {
  readonly shard: number;
  readonly user: number;
  readonly createdAt: number;
  readonly pk: number;
}

type MessageKey = Row<"Message", "channelPk" | "createdAt" | "pk">;

// A send to one of the channels waits until the step has ended.
const messagesPerStep = 200;

/**
 * Erases some messages of the users, as a deletion of each does. Undefined: none is left, except those of channels that are
 * held.
 */
export async function eraseSomeMessages(
  tx: Queryable,
  erasurePk: number,
  users: readonly number[],
  { shard: shardIndex = 0, user: userIndex = 0, createdAt = 0, pk = 0 }: Partial<MessagePlace>,
): Promise<MessagePlace | undefined> {
  const shard = tx.shards()[shardIndex];
  if (shard === undefined) return undefined;
  const user = users[userIndex];
  const start = { createdAt: 0, pk: 0 };
  if (user === undefined) return { shard: shardIndex + 1, user: 0, ...start };
  const picked = await shard.query(pick, [user, createdAt, pk, messagesPerStep]);
  if (picked.length === 0) return { shard: shardIndex, user: userIndex + 1, ...start };
  const locked = await lockSome(shard, picked);
  const erased = picked.filter((message) => locked.get(message.channelPk)?.isHeld === false);
  const live = await shard.query(erase, [
    erased.map((message) => message.channelPk),
    erased.map((message) => message.createdAt),
    erased.map((message) => message.pk),
  ]);
  await tx.query(count, [erasurePk, live.length, live.map(({ channelPk }) => channelPk)]);
  await tx.query(eraseReports, [erased.map(({ channelPk }) => channelPk), erased.map(formatMessageId)]);
  // The next step begins with the first message that was left.
  const left = picked.findIndex((message) => !locked.has(message.channelPk));
  const last = picked[left < 0 ? picked.length - 1 : left - 1];
  return { shard: shardIndex, user: userIndex, createdAt: last?.createdAt ?? createdAt, pk: last?.pk ?? pk };
}

/**
 * Locks the channels that are free. Waits for one only if none is free: while a step waits, it must not hold locks on
 * other channels.
 */
async function lockSome(shard: Queryable, picked: readonly MessageKey[]): Promise<Map<number, Locked>> {
  const channels = [...new Set(picked.map(({ channelPk }) => channelPk))];
  const free = await shard.query(lockFree, [channels]);
  const locked = free.length > 0 ? free : await shard.query(lockOne, [channels[0]]);
  return new Map(locked.map((channel) => [channel.pk, channel]));
}

const pick: Statement<MessageKey> = {
  name: "privacy.pick-messages",
  text: `SELECT channel_pk AS "channelPk", created_at AS "createdAt", pk FROM {messages}
    WHERE sender_pk = $1 AND (created_at, pk) > ($2::bigint, $3::bigint) ORDER BY created_at, pk LIMIT $4`,
};

interface Locked {
  readonly pk: number;
  readonly isHeld: boolean;
}

const lockFree: Statement<Locked> = {
  name: "privacy.lock-free-channels",
  text: `SELECT pk, is_held AS "isHeld" FROM {channels} WHERE pk = ANY ($1::bigint[])
    ORDER BY pk FOR NO KEY UPDATE SKIP LOCKED`,
};

const lockOne: Statement<Locked> = {
  name: "privacy.lock-channel",
  text: `SELECT pk, is_held AS "isHeld" FROM {channels} WHERE pk = $1 FOR NO KEY UPDATE`,
};

// Messages of a deleted channel are gone already for every reader: they have no events and do not count.
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
      {
        channelPk: "channel_pk",
        channelId: "channel_id",
        userPk: "sender_pk",
        userId: "user_id",
        messageCreatedAt: "created_at",
        messagePk: "pk",
      },
      "(SELECT * FROM live ORDER BY created_at, pk) AS live",
    )}), counted AS (
      UPDATE {channels} c SET message_revision = message_revision + messages,
        last_message_at = NULLIF(last_message_at, newest)
      FROM (SELECT channel_pk, count(*) AS messages, max(created_at) AS newest FROM live GROUP BY channel_pk) AS each_one
      WHERE c.pk = channel_pk
    )
    SELECT channel_pk AS "channelPk" FROM live`,
};

const count: Statement<unknown> = {
  name: "privacy.count-messages",
  text: `WITH added AS (
      INSERT INTO erasure_channels (erasure_pk, channel_pk)
      SELECT DISTINCT $1::bigint, channel_pk FROM unnest($3::bigint[]) AS channel_pk
      ON CONFLICT DO NOTHING RETURNING 1
    )
    UPDATE erasures SET erased_messages = erased_messages + $2::bigint,
      erased_channels = erased_channels + (SELECT count(*) FROM added)
    WHERE pk = $1 RETURNING 1`,
};

// A report may quote the message.
const eraseReports: Statement<unknown> = {
  name: "privacy.erase-message-reports",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL
    WHERE channel_pk = ANY ($1::bigint[]) AND message_id = ANY ($2::text[]) RETURNING 1`,
};
