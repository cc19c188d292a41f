import type { Queryable, Statement } from "../../db/db";
import { writeLocked } from "../../write/write-locked";
import type { Writer } from "../../write/writer";
import { lockSome } from "../channels/lock-store";
import { emit } from "../events/emit";
import { endRoles, type Keyed, keysOf } from "../memberships/end-roles-store";
import { forgetReportedUser } from "../reports/store";
import { lockUser, rejectUnknownUser } from "./store";

/**
 * Deletes a user from every list and lookup. The row stays, because messages refer to it. The sweeper ends its
 * memberships and manager roles in small steps.
 */
export async function deleteUser(writer: Writer, userId: string, now: number): Promise<void> {
  const [deleted] = await writeLocked(writer, [lockUser, [userId]], [markDeleted, [userId, now]]);
  if (deleted === undefined) rejectUnknownUser(userId);
}

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
      await endRoles(shard, await lockSome(shard, keysOf(channels)), [user]);
      return true;
    }
    // A deleted user gets no new roles, mutes and bans: if none is left, the user is done.
    for (const shard of tx.shards())
      for (const remove of removeRestrictions) await shard.query(remove, [user.pk]);
    await forgetReportedUser(tx, user.pk);
    await tx.query(markSwept, [user.pk]);
    return true;
  });
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

const removeRestrictions = (["mutes", "bans"] as const).map(
  (table): Statement<unknown> => ({
    name: `users.remove-${table}`,
    text: `DELETE FROM {${table}} WHERE user_pk = $1 RETURNING 1`,
  }),
);

const markSwept: Statement<unknown> = {
  name: "users.mark-swept",
  text: "UPDATE {users} SET needs_sweep = false WHERE pk = $1 RETURNING 1",
};

// The lock waits for joins and sends of this user, and the user gets no role afterwards.
const markDeleted: Statement<{ pk: number }> = {
  name: "users.mark-deleted",
  text: `WITH deleted AS (
      UPDATE users SET deleted_at = $2, needs_sweep = true WHERE user_id = $1 AND deleted_at IS NULL RETURNING pk
    ), emitted AS (${emit("user.deleted", { userPk: "pk", userId: "$1" }, "deleted")})
    SELECT pk FROM deleted`,
};
