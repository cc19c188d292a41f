import type { Queryable } from "../../db/db";
import { nameClaim, type Writer } from "../../idempotency/writer";
import { createBatcher } from "../batcher";
import { createUser, createUsers, findUsers, type NewUser, type UserRow } from "./store";

/** Finds users by id. Lookups that arrive while others run share one statement. */
export function batchUserLookups(db: Queryable): (userId: string) => Promise<UserRow | null> {
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

/** Creates users. Those that arrive while others are created share one statement. */
export function batchUserCreation(
  db: Queryable,
  now: () => number,
): (writer: Writer, user: NewUser) => Promise<UserRow> {
  const create = createBatcher<{ writer: Writer; user: NewUser }, UserRow>({
    keyOf: ({ user }) => user.userId,
    distinctOf: ({ writer, user }) => [`user ${user.userId}`, ...nameClaim(writer)],
    maxRunning: 2,
    runMany: (batch) => createUsers(db, batch, now()),
    runOne: ({ writer, user }) => createUser(writer, user, now()),
  });
  return (writer, user) => create({ writer, user });
}
