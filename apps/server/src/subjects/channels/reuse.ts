import type { Queryable, Statement } from "../../db/db";
import { type UserRow, userColumns } from "../users/store";
import { type ChannelWithMembers, createChannel, type NewChannel } from "./create";
import { type ChannelRow, channelColumns } from "./store";

/**
 * The newest channel in which only these two ever took part and no manager was ever registered; a new one where there
 * is none. Creates of the same pair wait for each other, on every process, so that a race ends in one channel.
 */
export async function reuseOrCreateChannel(
  db: Queryable,
  channel: NewChannel,
  now: number,
): Promise<ChannelWithMembers & { isCreated: boolean }> {
  const existing = await findPairChannel(db, channel.members);
  if (existing !== undefined) return { ...existing, isCreated: false };
  return db.transaction(async (tx) => {
    await tx.query(lockPair, [[...channel.members].sort().join(" ")]);
    const made = await findPairChannel(tx, channel.members);
    if (made !== undefined) return { ...made, isCreated: false };
    return { ...(await createChannel(tx, channel, now)), isCreated: true };
  });
}

async function findPairChannel(
  db: Queryable,
  members: readonly string[],
): Promise<ChannelWithMembers | undefined> {
  const [channel] = await db.query(findPair, [...members]);
  return channel && { channel, members: channel.participants };
}

const findPair: Statement<ChannelRow & { participants: UserRow[] }> = {
  name: "channels.find-pair",
  text: `WITH a AS (SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL),
      b AS (SELECT pk FROM users WHERE user_id = $2 AND deleted_at IS NULL)
    SELECT ${channelColumns}, (
        SELECT json_agg(person ORDER BY joined_at, position) FROM members
        CROSS JOIN LATERAL (SELECT ${userColumns} FROM users WHERE users.pk = user_pk) AS person
        WHERE channel_pk = channels.pk) AS participants
    FROM channels
    WHERE deleted_at IS NULL AND is_pair_only AND member_count = 2 AND (
      (first_participant_pk = (SELECT pk FROM a) AND second_participant_pk = (SELECT pk FROM b)) OR
      (first_participant_pk = (SELECT pk FROM b) AND second_participant_pk = (SELECT pk FROM a)))
    ORDER BY created_at DESC, pk DESC LIMIT 1`,
};

const lockPair: Statement<unknown> = {
  name: "channels.lock-pair",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('madang reuse ' || $1, 0))",
};
