import type { Queryable } from "../../db/db";
import { findUsers, type UserRow } from "./store";

/**
 * Looks up users. All lookups within one turn of the event loop share one statement.
 */
export function batchUserLookups(db: Queryable): (userId: string) => Promise<UserRow | undefined> {
  let requested = new Set<string>();
  let reading: Promise<ReadonlyMap<string, UserRow>> | undefined;

  const readAll = async () => {
    await endOfTurn();
    const userIds = [...requested];
    requested = new Set();
    reading = undefined;
    const users = await findUsers(db, userIds);
    return new Map(users.map((user) => [user.userId, user]));
  };

  return async (userId) => {
    requested.add(userId);
    reading ??= readAll();
    return (await reading).get(userId);
  };
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));
