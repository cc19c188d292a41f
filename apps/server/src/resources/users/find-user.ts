import { createBatcher } from "../../db/batch";
import type { Queryable } from "../../db/db";
import { isDatabaseUnavailable } from "../../db/faults";
import { ServiceError } from "../../errors";
import { findUsers, type UserRow } from "./store";

/** Finds users by id. Lookups that arrive while others run share one statement. */
export function createUserFinder(db: Queryable): (userId: string) => Promise<UserRow | null> {
  const findMany = async (userIds: readonly string[]) => {
    const users = await findUsers(db, [...new Set(userIds)]);
    const byId = new Map(users.map((user) => [user.userId, user]));
    return userIds.map((userId) => byId.get(userId) ?? null);
  };
  return createBatcher<string, UserRow | null>({
    maxSize: 100,
    maxRunning: 1,
    maxWaitMs: 2_000,
    maxWaitAfterFailureMs: 250,
    runMany: findMany,
    runOne: async (userId) => (await findMany([userId]))[0] ?? null,
    isUnavailable: isDatabaseUnavailable,
    lateError: () =>
      new ServiceError("unavailable", "Too many users are being looked up. Try again shortly."),
  });
}
