import { insertEvent } from "./event";
import { type Route, respond } from "./route";
import { defineChange, runOnce } from "./run-once";
import { userColumns, userOf } from "./users";

export const listMembers: Route = async ({ pool }, { parts }) => {
  const text = `SELECT u.${userColumns.replaceAll(", ", ", u.")}, m.joined_at FROM channels c
    JOIN members m ON m.channel_pk = c.pk JOIN users u ON u.pk = m.user_pk
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL ORDER BY m.joined_at, m.position`;
  const { rows } = await pool.query({ name: "members", text, values: [parts[2]] });
  return respond(
    200,
    rows.map((row) => ({ ...userOf(row), joined_at: row.joined_at })),
  );
};

const aboutMember = { channel_pk: "channel_pk", channel_id: "$1", user_pk: "user_pk", user_id: "$2" };

export const joinChannel: Route = async (tools, incoming) => {
  const values = [incoming.parts[2], incoming.body.member, Date.now()];
  return (await runOnce(tools, incoming, join, values, () => undefined, 200)) ?? respond(409);
};

const join = defineChange(
  "join",
  `target AS (
      SELECT c.pk, u.pk AS user_pk, c.member_count FROM users u, channels c
      WHERE u.user_id = $2 AND u.deleted_at IS NULL AND c.channel_id = $1 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c
    ), added AS (
      INSERT INTO members (channel_pk, user_pk, joined_at) SELECT pk, user_pk, $3 FROM target WHERE member_count < 100
      ON CONFLICT DO NOTHING RETURNING channel_pk, user_pk
    ), emitted AS (${insertEvent("member.joined", aboutMember, "added")}), counted AS (
      UPDATE channels c SET member_count = c.member_count + 1, is_pair_only = false
      FROM added WHERE c.pk = added.channel_pk RETURNING 1)`,
  "SELECT 1 AS joined FROM counted",
);

export const leaveChannel: Route = async (tools, incoming) => {
  const values = [incoming.parts[2], incoming.body.member];
  return (await runOnce(tools, incoming, leave, values, () => undefined, 200)) ?? respond(404);
};

const leave = defineChange(
  "leave",
  `target AS (
      SELECT c.pk, u.pk AS user_pk FROM channels c, users u
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL
    ), removed AS (
      DELETE FROM members m USING target WHERE m.channel_pk = target.pk AND m.user_pk = target.user_pk
      RETURNING m.channel_pk, m.user_pk
    ), emitted AS (${insertEvent("member.left", aboutMember, "removed")}), counted AS (
      UPDATE channels c SET member_count = c.member_count - 1 FROM removed WHERE c.pk = removed.channel_pk RETURNING 1)`,
  "SELECT 1 AS gone FROM counted",
);
