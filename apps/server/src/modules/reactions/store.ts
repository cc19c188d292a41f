import { limits } from "@madang/contract";
import { maySend, requireMaySend } from "../../chat/channels/may-send";
import { checkOfRight } from "../../chat/channels/rights-store";
import { rejectUnknownChannel } from "../../chat/channels/store";
import { existsFor } from "../../chat/channels/visibility";
import { emit } from "../../chat/emit";
import { keyOf, type MessageRef, rejectUnknownMessage } from "../../chat/message-id";
import { explainRejection } from "../../chat/messages/may-send-store";
import type { ReactionCounts } from "../../chat/messages/store";
import { isUnchanged } from "../../chat/restrictions/conditions";
import { type UserRow, userColumns } from "../../chat/users/store";
import type { Db, Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { defineCommand, withLock } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";

export interface NewReaction extends MessageRef {
  /** In Unicode normal form NFC. */
  readonly reaction: string;
  readonly userId: string;
}

/** Adds a reaction of a user to a message. Changes nothing if it exists. */
export async function addReaction(writer: Writer, added: NewReaction, now: number): Promise<void> {
  const row = { ...rowOf(added), now };
  await writeOrExplain(
    // Beside many leaves, the revision of the channel would change whenever the command waits for its row.
    (attempt) => writer.write(attempt === 1 ? add : addLocked, row),
    () => explainNotAdded(writer, added),
  );
}

async function explainNotAdded(writer: Writer, added: NewReaction): Promise<undefined> {
  const found = await requireTarget(writer, added);
  requireMaySend(found, added.userId);
  const reactions = found.message?.reactions ?? [];
  const isNew = reactions.every(([reaction]) => reaction !== added.reaction);
  if (isNew && reactions.length >= limits.reactionsPerMessage)
    throw new ServiceError(
      "reaction_limit_exceeded",
      `The message already has ${limits.reactionsPerMessage} different reactions, the maximum. Use one of them.`,
    );
}

/** The state of the message and the user. Rejects the request if one of them, or the channel, does not exist. */
async function requireTarget({ db, request }: Writer, reaction: NewReaction) {
  const { channelId, messageId, userId } = reaction;
  const [, createdAt, pk] = keyOf(reaction);
  const question = { userId, message: { createdAt, pk } };
  const found = await explainRejection(db, channelId, question, request.acting);
  if (found.message === null) rejectUnknownMessage(channelId, messageId);
  return found;
}

/** Removes a reaction of a user, even if the user cannot react any more. Changes nothing if it does not exist. */
export async function removeReaction(writer: Writer, removed: NewReaction): Promise<void> {
  const { channelId } = removed;
  await writeOrExplain(
    () => writer.write(remove, rowOf(removed), checkOfRight(writer, { channelId })),
    async () => void (await requireTarget(writer, removed)),
  );
}

/**
 * The different reactions to a message, in the order of first use. None if the message has been deleted. Rejects the request if the
 * channel does not exist for the user: it may repeat an earlier one of a user who has left since.
 */
export async function countReactions(
  db: Db,
  ref: MessageRef,
  acting: ActingUser | undefined,
): Promise<ReactionCounts> {
  const [found] = await db.query(count, [...keyOf(ref), acting?.userPk ?? null]);
  if (found === undefined && acting !== undefined) return rejectUnknownChannel(ref.channelId);
  return found?.reactions ?? [];
}

/** A reaction with its user and its position in the list. The field names do not collide with those of the user. */
interface ReactionRow extends UserRow {
  readonly reaction: string;
  readonly reactedAt: number;
  readonly position: number;
}

/** The reactions to a message after the position, oldest first. */
export async function listReactions(
  db: Db,
  ref: MessageRef,
  { after, limit, acting }: { after: Position; limit: number; acting: ActingUser | undefined },
): Promise<readonly ReactionRow[]> {
  const values = [...keyOf(ref), after.createdAt, after.pk, limit, acting?.userPk ?? null];
  const rows = await db.query(list, values);
  const first = rows[0] ?? rejectUnknownChannel(ref.channelId);
  if (first.messagePk === null) return rejectUnknownMessage(ref.channelId, ref.messageId);
  return itemsOf(rows, "userId");
}

function rowOf({ reaction, userId, ...ref }: NewReaction) {
  const [channelId, messageAt, messagePk] = keyOf(ref);
  return { channel_id: channelId, user_id: userId, message_at: messageAt, message_pk: messagePk, reaction };
}

const removal = {
  channel_id: "text",
  user_id: "text",
  message_at: "bigint",
  message_pk: "bigint",
  reaction: "text",
};
const addition = { ...removal, now: "bigint" };
/** Changes of the reactions to one message write its row. */
const sharing = { group: ["channel_id", "message_at", "message_pk"] } as const;

/** Whether the message of a row has the maximum of different reactions, in SQL. */
const isFull = (message: string, reaction: string) =>
  `(${isUsed(message, reaction)} IS NOT TRUE AND COALESCE(jsonb_array_length(${message}.reactions), 0) >= ${limits.reactionsPerMessage})`;

/** Whether any user has this reaction to the message, in SQL. Null if the message has no reactions. */
const isUsed = (message: string, reaction: string) =>
  `${message}.reactions @> jsonb_build_array(jsonb_build_array(${reaction}::text))`;

// A change of reactions locks the user and the channel FOR KEY SHARE, which conflicts with leaving, mutes, bans, suspensions,
// freezing and deletions, but not with sends. Then it changes the counts in the row of the message. A deletion of the message waits
// for it, and deletes the new reaction too.
const isTarget =
  "m.channel_pk = locked.channel_pk AND m.created_at = locked.message_at AND m.pk = locked.message_pk";

const about = {
  channelPk: "channel_pk",
  channelId: "channel_id",
  userPk: "user_pk",
  userId: "user_id",
  messageCreatedAt: "message_at",
  messagePk: "message_pk",
  detail: "jsonb_build_object('reaction', reaction)",
};

/** Whether the user of `locked` has this reaction to the message `m`. */
const isOwn = `EXISTS (
        SELECT FROM reactions r WHERE r.channel_pk = m.channel_pk AND r.message_created_at = m.created_at
          AND r.message_pk = m.pk AND r.reaction = locked.reaction AND r.user_pk = locked.user_pk)`;

/** The counts of the message `m` with 1 added to or subtracted from a reaction, or from those of `ANY (…)`, without counts of 0. */
export const countsWith = (change: "+" | "-", reaction: string) => `(
    SELECT jsonb_agg(jsonb_build_array(pair->0, counted) ORDER BY ordinal)
    FROM jsonb_array_elements(m.reactions) WITH ORDINALITY AS each (pair, ordinal),
      LATERAL (SELECT (pair->1)::integer ${change} (pair->>0 = ${reaction})::integer AS counted) AS sum
    WHERE counted > 0)`;

// If another request added the reaction since the snapshot, the insertion fails, and with it the statement: it then runs again.
const add = defineCommand<{ isAdded: true }, keyof typeof addition>(
  "reactions.add",
  addition,
  `person AS (
      SELECT sent.*, u.pk, u.suspended_until FROM sent JOIN users u ON u.user_id = sent.user_id AND u.deleted_at IS NULL
      ORDER BY u.pk FOR KEY SHARE OF u
    ), locked AS (
      SELECT person.*, c.pk AS channel_pk, person.pk AS user_pk
      FROM person JOIN channels c ON c.channel_id = person.channel_id AND c.deleted_at IS NULL
      WHERE ${maySend("c", "person")} AND ${isUnchanged("c")}
      ORDER BY c.pk, message_pk FOR KEY SHARE OF c
    ), counted AS (
      UPDATE messages m SET reactions = CASE WHEN ${isUsed("m", "reaction")} THEN ${countsWith("+", "reaction")}
        ELSE COALESCE(m.reactions, '[]') || jsonb_build_array(jsonb_build_array(reaction, 1)) END
      FROM locked WHERE ${isTarget} AND NOT ${isFull("m", "reaction")} AND NOT ${isOwn}
      RETURNING locked.*
    ), added AS (
      INSERT INTO reactions (channel_pk, message_created_at, message_pk, reaction, user_pk, created_at)
      SELECT channel_pk, message_at, message_pk, reaction, user_pk, now FROM counted
    ), emitted AS (${emit("reaction.added", about, "counted")}),
    effect AS (
      SELECT ordinal, true AS "isAdded" FROM counted
      UNION ALL SELECT ordinal, true FROM locked JOIN messages m ON ${isTarget} WHERE ${isOwn}
    )`,
  { sharing },
);

/** Locks the message, and with it all changes of its reactions. The user and the channel are locked before it, as everywhere. */
const lock = {
  statement: {
    name: "reactions.lock",
    text: `WITH people AS (
      SELECT user_id FROM users WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL ORDER BY pk FOR KEY SHARE
    ), places AS (
      SELECT pk, channel_id FROM channels
      WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL AND (SELECT count(*) FROM people) >= 0
      ORDER BY pk FOR KEY SHARE
    ), targets AS (
      SELECT m.pk FROM unnest($1::text[], $3::bigint[], $4::bigint[]) AS wanted (channel_id, created_at, pk)
      JOIN places USING (channel_id)
      JOIN messages m ON m.channel_pk = places.pk AND m.created_at = wanted.created_at AND m.pk = wanted.pk
      ORDER BY places.pk, m.pk FOR NO KEY UPDATE OF m
    )
    SELECT 1 AS position, channel_id AS id FROM places WHERE (SELECT count(*) FROM targets) >= 0
    UNION ALL SELECT 2, user_id FROM people`,
  },
  columns: ["channel_id", "user_id"],
  others: ["message_at", "message_pk"],
} as const;

const addLocked = withLock(add, lock);

const remove = defineCommand<{ isRemoved: true }, keyof typeof removal>(
  "reactions.remove",
  removal,
  `locked AS (
      SELECT sent.*, c.pk AS channel_pk, u.pk AS user_pk FROM sent
      JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
      JOIN users u ON u.user_id = sent.user_id AND u.deleted_at IS NULL
    ), removed AS (
      DELETE FROM reactions r USING locked
      WHERE r.channel_pk = locked.channel_pk AND r.message_created_at = locked.message_at
        AND r.message_pk = locked.message_pk AND r.reaction = locked.reaction AND r.user_pk = locked.user_pk
      RETURNING locked.*
    ), counted AS (
      UPDATE messages m SET reactions = ${countsWith("-", "reaction")} FROM removed
      WHERE m.channel_pk = removed.channel_pk AND m.created_at = message_at AND m.pk = message_pk
    ), emitted AS (${emit("reaction.removed", about, "removed")}), effect AS (
      SELECT ordinal, true AS "isRemoved" FROM locked JOIN messages m ON ${isTarget}
    )`,
  { lock, sharing },
);

const count: Statement<{ readonly reactions: ReactionCounts }> = {
  name: "reactions.count",
  text: `SELECT COALESCE(m.reactions, '[]') AS reactions FROM channels c
    LEFT JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$4")}`,
};

const list: Statement<Joined<ReactionRow, "userId", { readonly messagePk: number | null }>> = {
  name: "reactions.list",
  text: `SELECT m.pk AS "messagePk", entry.* FROM channels c
    LEFT JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
    LEFT JOIN LATERAL (
      SELECT reaction.*, person.* FROM (
        SELECT reaction, created_at AS "reactedAt", position, user_pk FROM reactions r
        WHERE r.channel_pk = m.channel_pk AND r.message_created_at = m.created_at AND r.message_pk = m.pk
          AND (r.created_at, r.position) > ($4::bigint, $5::bigint)
        ORDER BY r.created_at, r.position LIMIT $6
      ) AS reaction CROSS JOIN LATERAL (SELECT ${userColumns} FROM users WHERE pk = reaction.user_pk OFFSET 0) AS person
    ) AS entry ON true
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$7")}
    ORDER BY entry."reactedAt", entry.position`,
};
