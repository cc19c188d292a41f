import type { Queryable } from "../../db/db";
import { batchWrites } from "../../write/batch-writes";
import { createBatcher } from "../../write/batcher";
import type { Writer } from "../../write/writer";
import { createUsers, findUsers, type NewUser, rejectTakenId, type UserRow } from "./store";

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

/** Creates users in batches. */
export function batchUserCreation(
  db: Queryable,
  now: () => number,
): (writer: Writer, user: NewUser) => Promise<UserRow> {
  const create = batchWrites<{ writer: Writer; user: NewUser }, UserRow>(db, {
    groupOf: ({ user }) => user.userId,
    namesOf: ({ user }) => [`user ${user.userId}`],
    runMany: (_, batch) => createUsers(db, batch, now()),
    async runOne(call) {
      const [created] = await createUsers(db, [call], now());
      return created ?? rejectTakenId(call.user.userId);
    },
  });
  return (writer, user) => create({ writer, user });
}
