import type { Queryable, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import type { UserRow } from "../users/store";
import { type ChannelRow, channelColumns } from "./store";

export interface NewChannel {
  readonly channelId: string;
  readonly name: string;
  readonly profileUrl: string | undefined;
  readonly meta: Record<string, string>;
  /** User ids, each once. */
  readonly members: readonly string[];
}

export interface ChannelWithMembers {
  readonly channel: ChannelRow;
  readonly members: readonly UserRow[];
}

/** The channel with all its members, or nothing at all: one statement. */
export async function createChannel(
  db: Queryable,
  channel: NewChannel,
  now: number,
): Promise<ChannelWithMembers> {
  const { channelId, name, profileUrl, meta, members } = channel;
  const rows = await db.query(create, [channelId, name, profileUrl || null, meta, members, now]);
  const [first] = rows;
  if (first === undefined) return refuseCreation(db, channel);
  return { channel: first, members: rows.flatMap(({ member }) => (member === null ? [] : [member])) };
}

async function refuseCreation(db: Queryable, { channelId, members }: NewChannel): Promise<never> {
  const known = new Set((await db.query(findKnown, [members])).map(({ userId }) => userId));
  const unknown = members.filter((userId) => !known.has(userId));
  if (unknown.length > 0)
    throw new ServiceError("user_not_found", `Nothing was created: there is no user ${unknown.join(", ")}.`);
  throw new ServiceError("channel_exists", `The channel id ${channelId} is taken. Choose another one.`);
}

// Users are locked before the channel is written, as everywhere. The first two participants are kept on the channel:
// with `is_pair_only` they tell `reuse` its whole history.
const create: Statement<ChannelRow & { member: UserRow | null }> = {
  name: "channels.create",
  text: `WITH people AS (
      SELECT u.*, wanted.place FROM unnest($5::text[]) WITH ORDINALITY AS wanted (id, place)
      JOIN users u ON u.user_id = wanted.id AND u.deleted_at IS NULL
      ORDER BY u.pk FOR KEY SHARE OF u
    ), made AS (
      INSERT INTO channels (channel_id, name, profile_url, meta, member_count, is_pair_only,
        first_participant_pk, second_participant_pk, created_at, updated_at)
      SELECT $1, $2, $3, $4::jsonb, cardinality($5), cardinality($5) <= 2,
        (SELECT pk FROM people WHERE place = 1 AND cardinality($5) <= 2),
        (SELECT pk FROM people WHERE place = 2 AND cardinality($5) <= 2), $6, $6
      WHERE (SELECT count(*) FROM people) = cardinality($5)
      ON CONFLICT (channel_id) WHERE deleted_at IS NULL DO NOTHING
      RETURNING pk, ${channelColumns}
    ), joined AS (
      INSERT INTO members (channel_pk, user_pk, joined_at)
      SELECT made.pk, people.pk, $6 FROM made, people ORDER BY people.place
    )
    SELECT made.*, CASE WHEN people.pk IS NOT NULL THEN json_build_object(
      'userId', people.user_id, 'name', people.name, 'profileUrl', people.profile_url, 'meta', people.meta,
      'createdAt', people.created_at, 'updatedAt', people.updated_at) END AS member
    FROM made LEFT JOIN people ON true ORDER BY people.place`,
};

const findKnown: Statement<{ userId: string }> = {
  name: "channels.find-known-users",
  text: `SELECT user_id AS "userId" FROM users WHERE user_id = ANY ($1) AND deleted_at IS NULL`,
};
