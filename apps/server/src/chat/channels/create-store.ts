import type { Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { defineCommand } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { isNotSuspended } from "../restrictions/conditions";
import { userSuspended } from "../restrictions/errors";
import { type UserRow, userColumns } from "../users/store";
import { pairColumns, pairOf } from "./pair";
import { type ChannelRow, channelColumns, channelFields } from "./store";

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
      return channel.write(create, {
        channel_id: channelId,
        new_name: name,
        new_profile_url: profileUrl || null,
        new_meta: JSON.stringify(meta),
        member_ids: JSON.stringify(members),
        now,
      });
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

const columns = {
  channel_id: "text",
  new_name: "text",
  new_profile_url: "text",
  new_meta: "jsonb",
  member_ids: "jsonb",
  now: "bigint",
};
// Users are always locked before a channel is written, and channels are written in the order of their ids.
const create = defineCommand<CreatedChannel, keyof typeof columns>(
  "channels.create",
  columns,
  `people AS (
      SELECT u.*, sent.ordinal, wanted.place
      FROM sent CROSS JOIN LATERAL jsonb_array_elements_text(member_ids) WITH ORDINALITY AS wanted (id, place)
      JOIN users u ON u.user_id = wanted.id AND u.deleted_at IS NULL AND ${isNotSuspended("u")}
      ORDER BY u.pk FOR KEY SHARE OF u
    ), made AS (
      INSERT INTO channels (channel_id, name, profile_url, meta, member_count,
        ${pairColumns}, latest_at, created_at, updated_at)
      SELECT channel_id, new_name, new_profile_url, new_meta, cardinality(pks), ${pairOf("pks")}, now, now, now
      FROM sent CROSS JOIN LATERAL (
        SELECT ARRAY(SELECT pk FROM people WHERE people.ordinal = sent.ordinal ORDER BY place) AS pks) AS joined
      WHERE cardinality(pks) = jsonb_array_length(member_ids)
      ORDER BY channel_id
      ON CONFLICT DO NOTHING
      RETURNING pk, ${channelColumns}
    ), created AS (
      SELECT made.*, ordinal, now FROM made JOIN sent ON sent.channel_id = made."channelId"
    ), joined AS (
      INSERT INTO members (channel_pk, user_pk, joined_at)
      SELECT created.pk, people.pk, now FROM created JOIN people USING (ordinal) ORDER BY ordinal, place
    ), emitted AS (
      INSERT INTO events (type, channel_pk, channel_id, user_pk, user_id)
      SELECT type, channel_pk, "channelId", user_pk, user_id FROM (
        SELECT 'channel.created' AS type, pk AS channel_pk, "channelId", NULL::bigint AS user_pk, NULL AS user_id,
          ordinal, 0 AS place
        FROM created
        UNION ALL SELECT 'member.joined', created.pk, "channelId", people.pk, people.user_id, ordinal, place
        FROM created JOIN people USING (ordinal)
      ) AS event ORDER BY ordinal, place
    ), effect AS (
      SELECT ordinal, created.pk, ${nameList("created", channelFields)}, (
          SELECT COALESCE(json_agg(person ORDER BY place), '[]')
          FROM people CROSS JOIN LATERAL (SELECT ${userColumns}) AS person
          WHERE people.ordinal = created.ordinal) AS "members", true AS "isCreated"
      FROM created
    )`,
  { subject: createdChannel, sharing: { group: ["channel_id"] } },
);

const explain: Statement<CreationObstacles> = {
  name: "channels.create-explain",
  text: `SELECT EXISTS (SELECT FROM channels WHERE channel_id = $1 AND deleted_at IS NULL) AS "isTaken",
    (SELECT json_agg(id) FROM unnest($2::text[]) AS wanted (id)
      WHERE NOT EXISTS (SELECT FROM users WHERE user_id = id AND deleted_at IS NULL)) AS "unknownUsers",
    (SELECT user_id FROM users u WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL
      AND NOT (${isNotSuspended("u")}) LIMIT 1) AS "suspendedUser"`,
};
