import { signNextPage } from "../../../apps/server/src/paging/page-query";
import { insertEvent } from "./event";
import { type Route, respond } from "./route";
import { defineChange, runOnce } from "./run-once";

export interface UserRow {
  readonly user_id: string;
  readonly name: string;
  readonly profile_url: string | null;
  readonly meta: Record<string, string>;
  readonly created_at: number;
  readonly updated_at: number;
}

export const userColumns = "user_id, name, profile_url, meta, created_at, updated_at";

export function userOf(row: UserRow) {
  const { user_id, name, profile_url, meta, created_at, updated_at } = row;
  return profile_url === null
    ? { user_id, name, meta, created_at, updated_at }
    : { user_id, name, profile_url, meta, created_at, updated_at };
}

export const getUser: Route = async ({ pool }, { parts }) => {
  const text = `SELECT ${userColumns} FROM users WHERE user_id = $1 AND deleted_at IS NULL`;
  const { rows } = await pool.query({ name: "get", text, values: [parts[1]] });
  return rows.length === 0 ? respond(404) : respond(200, userOf(rows[0]));
};

export const listUsers: Route = async ({ pool, cursors }, { query }) => {
  const limit = Number(query.get("limit"));
  const text = `SELECT pk, ${userColumns} FROM users WHERE deleted_at IS NULL
    ORDER BY created_at DESC, pk DESC LIMIT $1`;
  const { rows } = await pool.query({ name: "list", text, values: [limit + 1] });
  const last = rows[limit - 1];
  const after = { createdAt: last.created_at, pk: last.pk };
  const pageQuery = { filters: {}, limit };
  const next = rows.length > limit ? signNextPage(cursors, "users", pageQuery, after) : undefined;
  return respond(200, { users: rows.slice(0, limit).map(userOf), next });
};

export const createUser: Route = async (tools, incoming) => {
  const { user_id, name, profile_url, meta } = incoming.body;
  const values = [user_id, name, profile_url, meta, Date.now()];
  const created = await runOnce<UserRow>(tools, incoming, create, values, ([user]) => user && userOf(user));
  return created ?? respond(409);
};

const aboutUser = { user_pk: "pk", user_id: "user_id" };
const emitUpdated = insertEvent("user.updated", aboutUser, "updated");

const create = defineChange(
  "create",
  `created AS (INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (user_id) WHERE deleted_at IS NULL DO NOTHING
    RETURNING pk, ${userColumns}), emitted AS (${insertEvent("user.created", aboutUser, "created")})`,
  `SELECT ${userColumns} FROM created`,
);

export const updateUser: Route = async (tools, incoming) => {
  const { parts, body } = incoming;
  const values = [parts[1], body.name, body.profile_url, Date.now()];
  const updated = await runOnce<UserRow>(
    tools,
    incoming,
    update,
    values,
    ([user]) => user && userOf(user),
    200,
  );
  return updated ?? respond(404);
};

const update = defineChange(
  "update",
  `updated AS (
      UPDATE users SET name = $2, profile_url = COALESCE($3, profile_url), updated_at = $4
      WHERE user_id = $1 AND deleted_at IS NULL RETURNING pk, ${userColumns}
    ), emitted AS (${emitUpdated})`,
  `SELECT ${userColumns} FROM updated`,
);

export const mergeMeta: Route = async (tools, incoming) => {
  const values = [incoming.parts[1], incoming.body.meta, Date.now()];
  const merged = await runOnce<UserRow>(
    tools,
    incoming,
    merge,
    values,
    ([user]) => user && userOf(user),
    200,
  );
  return merged ?? respond(409);
};

const merge = defineChange(
  "merge",
  `updated AS (
      UPDATE users SET meta = meta || $2::jsonb, updated_at = $3
      WHERE user_id = $1 AND deleted_at IS NULL AND (SELECT count(*) FROM jsonb_object_keys(meta || $2::jsonb)) <= 10
      RETURNING pk, ${userColumns}
    ), emitted AS (${emitUpdated})`,
  `SELECT ${userColumns} FROM updated`,
);

/** Concurrent requests have different users. */
export const upsertUsers: Route = async (tools, incoming) => {
  // Not validated.
  const users = incoming.body.users as readonly { user_id: string; name: string; meta: object }[];
  const values = [
    users.map(({ user_id }) => user_id),
    users.map(({ name }) => name),
    users.map(({ meta }) => JSON.stringify(meta)),
    Date.now(),
  ];
  const present = (results: readonly object[]) => ({ results });
  return (await runOnce(tools, incoming, upsert, values, present, 200)) ?? respond(404);
};

const upsert = defineChange(
  "upsert",
  `sent AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS sent (id, new_name, given, ordinal)
    ), written AS (
      INSERT INTO users (user_id, name, meta, created_at, updated_at) SELECT id, new_name, given, $4::bigint, $4::bigint FROM sent
      ON CONFLICT (user_id) WHERE deleted_at IS NULL
      DO UPDATE SET name = excluded.name, meta = users.meta || excluded.meta, updated_at = excluded.updated_at
      RETURNING pk, user_id, xmax = 0 AS is_new
    ), created AS (${insertEvent("user.created", aboutUser, "written WHERE is_new")}),
    updated AS (${insertEvent("user.updated", aboutUser, "written WHERE NOT is_new")})`,
  `SELECT user_id, CASE WHEN is_new THEN 'created' ELSE 'updated' END AS result
    FROM sent JOIN written ON user_id = id ORDER BY ordinal`,
);

export const deleteUser: Route = async (tools, incoming) => {
  const values = [incoming.parts[1], Date.now()];
  return (await runOnce(tools, incoming, remove, values, () => undefined, 200)) ?? respond(404);
};

const remove = defineChange(
  "delete",
  `gone AS (
      UPDATE users SET deleted_at = $2 WHERE user_id = $1 AND deleted_at IS NULL RETURNING pk
    ), emitted AS (${insertEvent("user.deleted", { user_pk: "pk", user_id: "$1" }, "gone")}),
    members AS (DELETE FROM members USING gone WHERE user_pk = gone.pk RETURNING channel_pk),
    managers AS (DELETE FROM managers USING gone WHERE user_pk = gone.pk RETURNING channel_pk),
    counts AS (
      SELECT channel_pk, sum(member) AS members, sum(manager) AS managers FROM (
        SELECT channel_pk, 1 AS member, 0 AS manager FROM members UNION ALL SELECT channel_pk, 0, 1 FROM managers) ended
      GROUP BY channel_pk
    ), counted AS (
      UPDATE channels SET member_count = member_count - counts.members, manager_count = manager_count - counts.managers
      FROM counts WHERE pk = counts.channel_pk
    )`,
  "SELECT pk FROM gone",
);
