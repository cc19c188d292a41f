import type { Queryable, Statement } from "../../db/db";
import { endRoles, type Keyed, keysOf } from "../channels/end-roles";

const channelsPerStep = 250;

/**
 * Ends some memberships and manager roles of a deleted user, and returns whether more may remain. Several processes
 * share the work: each skips the users that another one has locked.
 */
export function sweepDeletedUsers(db: Queryable): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [user] = await tx.query(findDeleted);
    if (user === undefined) return false;
    for (const shard of tx.shards()) {
      const channels = await shard.query(listChannels, [user.pk, channelsPerStep]);
      if (channels.length === 0) continue;
      await endRoles(shard, await lockSome(shard, channels), [user]);
      return true;
    }
    // A deleted user gets no new roles: if none is left, the user is done.
    await tx.query(markSwept, [user.pk]);
    return true;
  });
}

/**
 * Locks the channels that are free. Waits for one only if none is free: while a step waits, it must not hold locks on
 * other channels.
 */
async function lockSome(tx: Queryable, channels: readonly Keyed[]): Promise<readonly Keyed[]> {
  const free = await tx.query(lockFree, [keysOf(channels)]);
  return free.length > 0 ? free : tx.query(lockOne, [channels[0]?.pk]);
}

const findDeleted: Statement<Keyed> = {
  name: "users.find-to-sweep",
  text: "SELECT pk FROM {users} WHERE needs_sweep ORDER BY deleted_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED",
};

const listChannels: Statement<Keyed> = {
  name: "users.list-channels",
  text: `(SELECT channel_pk AS pk FROM {members} WHERE user_pk = $1 LIMIT $2)
    UNION (SELECT channel_pk FROM {managers} WHERE user_pk = $1 LIMIT $2)`,
};

const lockFree: Statement<Keyed> = {
  name: "users.lock-free-channels",
  text: "SELECT pk FROM {channels} WHERE pk = ANY ($1::bigint[]) FOR NO KEY UPDATE SKIP LOCKED",
};

const lockOne: Statement<Keyed> = {
  name: "users.lock-channel",
  text: "SELECT pk FROM {channels} WHERE pk = $1 FOR NO KEY UPDATE",
};

const markSwept: Statement<unknown> = {
  name: "users.mark-swept",
  text: "UPDATE {users} SET needs_sweep = false WHERE pk = $1",
};
