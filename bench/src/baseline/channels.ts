import { insertEvent } from "./event";
import { type Route, respond } from "./route";
import { defineChange, runOnce } from "./run-once";
import { userOf } from "./users";

const columns = `c.channel_id, c.name, c.profile_url, c.is_frozen, c.total_message_count, c.total_file_count, c.meta,
  c.created_at, c.updated_at`;
const memberColumns = `u.user_id, u.name AS user_name, u.profile_url AS user_url, u.meta AS user_meta,
  u.created_at AS user_created_at, u.updated_at AS user_updated_at`;

export const createChannel: Route = async (tools, incoming) => {
  const { body } = incoming;
  const members = body.members as string[];
  if (body.reuse === true) {
    const found = await runOnce(tools, incoming, findPair, members, present);
    if (found !== undefined) return found;
  }
  const values = [body.channel_id, body.name, body.profile_url, body.meta ?? {}, members, Date.now()];
  const created = await runOnce(tools, incoming, create, values, present);
  return created ?? respond(409);
};

/** A row of the statements below: the channel, the same in every row, and a member. */
interface Row {
  readonly channel_id: string;
  readonly name: string;
  readonly profile_url: string | null;
  readonly is_frozen: boolean;
  readonly total_message_count: number;
  readonly total_file_count: number;
  readonly meta: Record<string, string>;
  readonly created_at: number;
  readonly updated_at: number;
  readonly user_id: string;
  readonly user_name: string;
  readonly user_url: string | null;
  readonly user_meta: Record<string, string>;
  readonly user_created_at: number;
  readonly user_updated_at: number;
}

function present(rows: readonly Row[]) {
  const [channel] = rows;
  if (channel === undefined) return undefined;
  const { channel_id, name, profile_url, meta, created_at, updated_at } = channel;
  return {
    channel_id,
    name,
    ...(profile_url !== null && { profile_url }),
    type: "group",
    freeze: channel.is_frozen,
    total_message_count: channel.total_message_count,
    total_file_count: channel.total_file_count,
    meta,
    created_at,
    updated_at,
    members: rows.map((row) =>
      userOf({
        user_id: row.user_id,
        name: row.user_name,
        profile_url: row.user_url,
        meta: row.user_meta,
        created_at: row.user_created_at,
        updated_at: row.user_updated_at,
      }),
    ),
  };
}

const findPair = defineChange(
  "find-pair",
  `a AS (SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL),
    b AS (SELECT pk FROM users WHERE user_id = $2 AND deleted_at IS NULL),
    c AS (SELECT * FROM channels WHERE deleted_at IS NULL AND is_pair_only AND member_count = 2
        AND first_participant_pk = (SELECT pk FROM a) AND second_participant_pk = (SELECT pk FROM b)
      UNION ALL SELECT * FROM channels WHERE deleted_at IS NULL AND is_pair_only AND member_count = 2
        AND first_participant_pk = (SELECT pk FROM b) AND second_participant_pk = (SELECT pk FROM a)
      ORDER BY created_at DESC, pk DESC LIMIT 1)`,
  `SELECT ${columns}, ${memberColumns}
    FROM c JOIN members m ON m.channel_pk = c.pk JOIN users u ON u.pk = m.user_pk ORDER BY m.joined_at, m.position`,
);

const aboutChannel = { channel_pk: "c.pk", channel_id: "$1" };
const aboutMember = { ...aboutChannel, user_pk: "people.pk", user_id: "people.user_id" };

const create = defineChange(
  "create-channel",
  `people AS (
    SELECT u.*, wanted.ordinal FROM unnest($5::text[]) WITH ORDINALITY AS wanted (id, ordinal)
    JOIN users u ON u.user_id = wanted.id AND u.deleted_at IS NULL
  ), c AS (
    INSERT INTO channels (channel_id, name, profile_url, meta, member_count, is_pair_only, created_at, updated_at)
    SELECT $1, $2, $3, $4::jsonb, cardinality($5), false, $6, $6 WHERE (SELECT count(*) FROM people) = cardinality($5)
    ON CONFLICT (channel_id) WHERE deleted_at IS NULL DO NOTHING RETURNING *
  ), joined AS (
    INSERT INTO members (channel_pk, user_pk, joined_at) SELECT c.pk, people.pk, $6 FROM c, people ORDER BY ordinal
  ), created_event AS (${insertEvent("channel.created", aboutChannel, "c")}
  ), joined_events AS (${insertEvent("member.joined", aboutMember, "c, people ORDER BY ordinal")})`,
  `SELECT ${columns}, ${memberColumns} FROM c, people u ORDER BY ordinal`,
);
