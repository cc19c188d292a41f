import type { Statement } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import { defineCommand, isFirst } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { isNotSuspended } from "../restrictions/conditions";
import { userSuspended } from "../restrictions/errors";
import { type UserRow, userColumns } from "../users/store";
import { pairColumns, pairOf } from "./pair";
import { type ChannelRow, channelColumns } from "./store";

export interface NewChannel {
  readonly channelId: string;
  readonly name: string;
  readonly profileUrl: string | undefined;
  readonly meta: Record<string, string>;
  /** User ids, each once. */
  readonly members: readonly string[];
}

export interface ChannelWithMembers extends ChannelRow {
  /** In the order in which they joined. */
  readonly members: readonly UserRow[];
}

export interface CreatedChannel extends ChannelWithMembers {
  readonly isCreated: boolean;
}

/** For the audit entry: the id of a channel that was reused is not in the request. */
export const createdChannel = { channelId: "channelId" };

interface CreationObstacles {
  /** Members that do not exist; null if all exist. */
  readonly unknownUsers: readonly string[] | null;
  /** A member that is suspended; null if there is none. */
  readonly suspendedUser: string | null;
  readonly isTaken: boolean;
}

/** Creates the channel with all its members, or nothing. A channel that `findReusable` finds is returned instead. */
export function createChannel(
  writer: Writer,
  { channelId, name, profileUrl, meta, members }: NewChannel,
  now: number,
  findReusable: () => Promise<CreatedChannel | undefined> = async () => undefined,
): Promise<CreatedChannel> {
  const channel = writer.channel(channelId);
  return writeOrExplain(
    async () => {
      const reusable = await findReusable();
      if (reusable !== undefined) return [reusable];
      return channel.write(create, [channelId, name, profileUrl || null, meta, members, now]);
    },
    async () => {
      const [found] = await channel.db.query(explain, [channelId, members]);
      // A request without `reuse` may have created it meanwhile.
      const reusable = await findReusable();
      if (found === undefined || reusable !== undefined) return reusable;
      if (found.unknownUsers !== null) {
        const ids = found.unknownUsers.join(", ");
        throw new ServiceError("user_not_found", `The channel was not created. There is no user ${ids}.`);
      }
      if (found.suspendedUser !== null) throw userSuspended(found.suspendedUser);
      if (!found.isTaken) return undefined;
      throw new ServiceError("channel_exists", `The channel id ${channelId} is taken. Choose another one.`);
    },
  );
}

// Users are always locked before the channel is written.
const create = defineCommand<CreatedChannel>(
  "channels.create",
  `people AS (
      SELECT u.*, wanted.ordinal FROM unnest($5::text[]) WITH ORDINALITY AS wanted (id, ordinal)
      JOIN users u ON u.user_id = wanted.id AND u.deleted_at IS NULL AND ${isNotSuspended("u")}
      ORDER BY u.pk FOR KEY SHARE OF u
    ), made AS (
      INSERT INTO channels (channel_id, name, profile_url, meta, member_count,
        ${pairColumns}, latest_at, created_at, updated_at)
      SELECT $1, $2, $3, $4::jsonb, cardinality($5), ${pairOf("pks")}, $6, $6, $6
      FROM (SELECT ARRAY(SELECT pk FROM people ORDER BY ordinal) AS pks) AS joined
      WHERE cardinality(pks) = cardinality($5) AND ${isFirst}
      ON CONFLICT DO NOTHING
      RETURNING pk, ${channelColumns}
    ), joined AS (
      INSERT INTO members (channel_pk, user_pk, joined_at)
      SELECT made.pk, people.pk, $6 FROM made, people ORDER BY people.ordinal
    ), emitted AS (
      INSERT INTO events (type, channel_pk, channel_id, user_pk, user_id)
      SELECT type, channel_pk, $1, user_pk, user_id FROM (
        SELECT 'channel.created' AS type, made.pk AS channel_pk, NULL::bigint AS user_pk, NULL AS user_id, 0 AS ordinal
        FROM made
        UNION ALL SELECT 'member.joined', made.pk, people.pk, people.user_id, people.ordinal FROM made, people
      ) AS event ORDER BY ordinal
    ), effect AS (
      SELECT made.*, (SELECT COALESCE(json_agg(person ORDER BY ordinal), '[]')
          FROM people CROSS JOIN LATERAL (SELECT ${userColumns}) AS person) AS "members", true AS "isCreated"
      FROM made
    )`,
  createdChannel,
);

const explain: Statement<CreationObstacles> = {
  name: "channels.create-explain",
  text: `SELECT EXISTS (SELECT FROM channels WHERE channel_id = $1 AND deleted_at IS NULL) AS "isTaken",
    (SELECT json_agg(id) FROM unnest($2::text[]) AS wanted (id)
      WHERE NOT EXISTS (SELECT FROM users WHERE user_id = id AND deleted_at IS NULL)) AS "unknownUsers",
    (SELECT user_id FROM users u WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL
      AND NOT (${isNotSuspended("u")}) LIMIT 1) AS "suspendedUser"`,
};
