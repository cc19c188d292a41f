import { userIdAt } from "../world";
import { made, type Operation, pick } from "./operation";

export const userOperations: readonly Operation[] = [
  {
    id: "users.get",
    title: "get a user",
    target: 0.7,
    turn: (n, _side, { users }) => [{ method: "GET", path: `/v1/users/${userIdAt(pick(n, users))}` }],
  },
  {
    id: "users.list",
    title: "list 30 users",
    target: 0.7,
    turn: () => [{ method: "GET", path: "/v1/users?limit=30" }],
  },
  {
    id: "users.create",
    title: "create a user",
    target: 0.6,
    turn: (n, side) => [
      {
        method: "POST",
        path: "/v1/users",
        body: {
          user_id: made("new", n, side),
          name: `Kim ${n}`,
          profile_url: `https://example.com/pictures/${n}.png`,
          meta: { team: "blue", locale: "ko-KR" },
        },
      },
    ],
  },
  {
    id: "users.update",
    title: "update a user",
    target: undefined,
    turn: (n, _side, { users }) => [
      { method: "PUT", path: `/v1/users/${userIdAt(pick(n, users))}`, body: { name: `Lee ${n}` } },
    ],
  },
  {
    id: "users.meta.merge",
    title: "merge metadata of a user",
    target: 0.6,
    turn: (n, _side, { users }) => [
      {
        method: "PUT",
        path: `/v1/users/${userIdAt(pick(n, users))}/meta`,
        body: { meta: { seat: `row-${n}` } },
      },
    ],
  },
  {
    id: "users.delete",
    title: "delete a user",
    target: undefined,
    async supply({ database }, side, n, count) {
      await database.query(
        `INSERT INTO users (user_id, name, created_at, updated_at)
         SELECT 'old_' || $1 || '_' || lpad(i::text, 7, '0'), 'Old', 1, 1 FROM generate_series($2::int, $3::int) AS i
         ON CONFLICT DO NOTHING`,
        [side.charAt(0), n, n + count],
      );
    },
    turn: (n, side) => [{ method: "DELETE", path: `/v1/users/${made("old", n, side)}` }],
  },
];
