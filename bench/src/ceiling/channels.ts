import type { Route } from "./route";
import { userOf } from "./users";

const columns = `c.channel_id, c.name, c.profile_url, c.is_frozen, c.total_message_count, c.total_file_count, c.meta,
  c.created_at, c.updated_at`;
const memberColumns = `u.user_id, u.name AS user_name, u.profile_url AS user_url, u.meta AS user_meta,
  u.created_at AS user_created_at, u.updated_at AS user_updated_at`;

export const createChannel: Route = async ({ pool }, { body }) => {
  const members = body.members as string[];
  if (body.reuse === true) {
    const { rows } = await pool.query({ name: "find-pair", text: findPair, values: members });
    if (rows.length > 0) return [201, present(rows)];
  }
  const values = [body.channel_id, body.name, body.profile_url, body.meta ?? {}, members, Date.now()];
  const { rows } = await pool.query({ name: "create-channel", text: create, values });
  return rows.length === 0 ? [409, ""] : [201, present(rows)];
};

/** What both statements below answer: the channel on every row, and a member on each. */
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

function present(rows: readonly Row[]): string {
  const [channel] = rows;
  if (channel === undefined) return "";
  const { channel_id, name, profile_url, meta, created_at, updated_at } = channel;
  return JSON.stringify({
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
  });
}

const findPair = `WITH a AS (SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL),
    b AS (SELECT pk FROM users WHERE user_id = $2 AND deleted_at IS NULL),
    c AS (SELECT * FROM channels WHERE deleted_at IS NULL AND is_pair_only AND member_count = 2
        AND first_participant_pk = (SELECT pk FROM a) AND second_participant_pk = (SELECT pk FROM b)
      UNION ALL SELECT * FROM channels WHERE deleted_at IS NULL AND is_pair_only AND member_count = 2
        AND first_participant_pk = (SELECT pk FROM b) AND second_participant_pk = (SELECT pk FROM a)
      ORDER BY created_at DESC, pk DESC LIMIT 1)
  SELECT ${columns}, ${memberColumns} FROM c JOIN members m ON m.channel_pk = c.pk JOIN users u ON u.pk = m.user_pk
  ORDER BY m.joined_at, m.position`;

const create = `WITH people AS (
    SELECT u.*, wanted.place FROM unnest($5::text[]) WITH ORDINALITY AS wanted (id, place)
    JOIN users u ON u.user_id = wanted.id AND u.deleted_at IS NULL
  ), c AS (
    INSERT INTO channels (channel_id, name, profile_url, meta, member_count, is_pair_only, created_at, updated_at)
    SELECT $1, $2, $3, $4::jsonb, cardinality($5), false, $6, $6 WHERE (SELECT count(*) FROM people) = cardinality($5)
    ON CONFLICT (channel_id) WHERE deleted_at IS NULL DO NOTHING RETURNING *
  ), joined AS (
    INSERT INTO members (channel_pk, user_pk, joined_at) SELECT c.pk, people.pk, $6 FROM c, people ORDER BY place
  )
  SELECT ${columns}, ${memberColumns} FROM c, people u ORDER BY place`;
