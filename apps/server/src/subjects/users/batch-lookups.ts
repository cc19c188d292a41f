import type { Queryable } from "../../db/db";
import { findUsers, type UserRow } from "./store";

/**
 * Looks users up. All lookups within one turn of the event loop share one statement. A single lookup waits for no
 * other.
 */
export function batchUserLookups(db: Queryable): (userId: string) => Promise<UserRow | undefined> {
  let wanted = new Set<string>();
  let reading: Promise<ReadonlyMap<string, UserRow>> | undefined;

  const readAll = async () => {
    await endOfTurn();
    const userIds = [...wanted];
    wanted = new Set();
    reading = undefined;
    const users = await findUsers(db, userIds);
    return new Map(users.map((user) => [user.userId, user]));
  };

  return async (userId) => {
    wanted.add(userId);
    reading ??= readAll();
    return (await reading).get(userId);
  };
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));
