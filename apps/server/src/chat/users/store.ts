import type { Db, Statement } from "../../db/db";
import { type Field, nameList, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { Position } from "../../paging/position";
import { createBatcher } from "../../write/batcher";
import { defineCommand, type Locked } from "../../write/command";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";
import type { NamedSource } from "../names/named-list";
import { defineNamedLists, selectPage } from "../names/names-store";
import { defineResource } from "../resources/store";
import { isInForce } from "../restrictions/conditions";

const plainFields = [
  "userId",
  "name",
  "profileUrl",
  "meta",
  "createdAt",
  "updatedAt",
] as const satisfies readonly Field<"User">[];
export const userFields = [...plainFields, "suspendedUntil"] as const satisfies readonly Field<"User">[];
export type UserRow = Row<"User", (typeof userFields)[number]>;
/** The columns of a row of users, such as "u.". A suspension that has expired is not shown. */
export const userColumnsOf = (row: string) => `${selectList(plainFields, row)},
  CASE WHEN ${isInForce(`${row}suspended_until`)} THEN ${row}suspended_until END AS "suspendedUntil"`;
export const userColumns = userColumnsOf("");

/** For the events of a row with the key and the columns of a user. */
const aboutUser = { userPk: "pk", userId: '"userId"' };

interface NewUser {
  readonly userId: string;
  readonly name: string;
  readonly profileUrl: string | undefined;
  readonly meta: Record<string, string>;
}

/** The existing users among these ids, in no order. */
export function findUsers(db: Db, userIds: readonly string[]): Promise<UserRow[]> {
  return db.query(find, [userIds]);
}

/** Finds users by id. Lookups that arrive while others run share one statement. */
export function batchUserLookups(db: Db): (userId: string) => Promise<UserRow | null> {
  const findMany = async (userIds: readonly string[]) => {
    const users = await findUsers(db, [...new Set(userIds)]);
    const byId = new Map(users.map((user) => [user.userId, user]));
    return userIds.map((userId) => byId.get(userId) ?? null);
  };
  return createBatcher<string, UserRow | null>({
    maxRunning: 1,
    runMany: findMany,
    runOne: async (userId) => (await findMany([userId]))[0] ?? null,
  });
}

/** The lists and searches of users. */
export const userLists = (db: Db): NamedSource<UserRow> => {
  const lists = namedLists(db);
  return {
    ...lists,
    list: (before, count, name) =>
      name === undefined
        ? lists.list(before, count)
        : db.query(listNamed, [before.createdAt, before.pk, count, name]),
    findByIds: (ids) => findUsers(db, ids),
    idOf: ({ userId }) => userId,
  };
};

/** Waits while another request creates the user. */
export async function createUser(
  writer: Writer,
  { userId, name, profileUrl, meta }: NewUser,
  now: number,
): Promise<UserRow> {
  const [created] = await writer.write(create, {
    user_id: userId,
    name,
    profile_url: profileUrl || null,
    meta: JSON.stringify(meta),
    now,
  });
  if (created !== undefined) return created;
  throw new ServiceError("user_exists", `The user id ${userId} is taken. Choose another one.`);
}

export function rejectUnknownUser(userId: string): never {
  throw new ServiceError("user_not_found", `There is no user ${userId}.`);
}

/** The key of a user, with its position in the list of users. */
export async function findUserPosition(db: Db, userId: string): Promise<Position | undefined> {
  const [user] = await db.query(findPosition, [userId]);
  return user;
}

/** Rejects the request if there is no such user. */
export async function requireUserPosition(db: Db, userId: string): Promise<Position> {
  return (await findUserPosition(db, userId)) ?? rejectUnknownUser(userId);
}

export const requireUserPk = async (db: Db, userId: string): Promise<number> =>
  (await requireUserPosition(db, userId)).pk;

/** FOR UPDATE conflicts with FOR KEY SHARE: it waits for joins and sends of this user, and later ones see the change. */
export const lockUsersFully: Statement<Locked> = {
  name: "users.lock-fully",
  text: `SELECT 1 AS position, user_id AS id FROM users
    WHERE user_id = ANY ($1::text[]) AND deleted_at IS NULL ORDER BY pk FOR UPDATE`,
};

/** Keeps users from being deleted meanwhile. Ids that are unknown are ignored. */
export const lockUsers: Statement<{ pk: number; userId: string }> = {
  name: "users.lock-many",
  text: `SELECT pk, user_id AS "userId" FROM users WHERE user_id = ANY ($1::text[]) AND deleted_at IS NULL
    ORDER BY pk FOR KEY SHARE`,
};

const findPosition: Statement<Position> = {
  name: "users.find-position",
  text: 'SELECT pk, created_at AS "createdAt" FROM users WHERE user_id = $1 AND deleted_at IS NULL',
};

const find: Statement<UserRow> = {
  name: "users.find",
  text: `SELECT ${userColumns} FROM users WHERE user_id = ANY ($1::text[]) AND deleted_at IS NULL`,
};

const namedLists = defineNamedLists<UserRow>("users", userColumns, (db) => [db]);

const hasName = (name: string) => `name COLLATE "C" = ${name}`;

const listNamed: Statement<UserRow & Position> = {
  name: "users.list-named",
  text: selectPage("users", userColumns, "$1::bigint, $2::bigint", "$3", hasName("$4")),
};

const columns = { user_id: "text", name: "text", profile_url: "text", meta: "jsonb", now: "bigint" };
// In the order of their ids, so that two processes that create the same users do not wait for each other.
const create = defineCommand<UserRow, keyof typeof columns>(
  "users.create",
  columns,
  `created AS (
      INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at)
      SELECT user_id, name, profile_url, meta, now, now FROM sent ORDER BY user_id
      ON CONFLICT (user_id) WHERE deleted_at IS NULL DO NOTHING
      RETURNING pk, ${userColumns}
    ), emitted AS (${emit("user.created", aboutUser, "created")}), effect AS (
      SELECT ordinal, ${nameList("created", userFields)} FROM created JOIN sent ON sent.user_id = created."userId"
    )`,
  { sharing: { group: ["user_id"] } },
);

export const userResource = defineResource<UserRow>({
  noun: "user",
  fields: userFields,
  columns: userColumns,
  about: aboutUser,
  rejectUnknown: rejectUnknownUser,
  requireRow: async (db, userId) => (await findUsers(db, [userId]))[0] ?? rejectUnknownUser(userId),
});

/** Locks a user by its key, for a limit of what it may do at once. */
export const lockUserByPk: Statement<unknown> = {
  name: "users.lock-by-pk",
  text: "SELECT 1 FROM users WHERE pk = $1 FOR NO KEY UPDATE",
};
