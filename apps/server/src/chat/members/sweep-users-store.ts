import type { Db, Statement, Tx } from "../../db/db";
import { endRoles, type HasPk, pksOf } from "../channels/end-roles-store";
import { lockSome } from "../channels/lock-store";

/** Removes what modules store about a deleted user. */
export type RemoveUser = (tx: Tx, userPk: number) => Promise<void>;

const channelsPerStep = 250;

/**
 * Ends some memberships and manager roles of a deleted user, and returns whether more may remain. Several processes
 * share the work: each skips the users that another one has locked.
 */
export function sweepDeletedUsers(db: Db, removeUser: RemoveUser): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [user] = await tx.query(findDeleted);
    if (user === undefined) return false;
    for (const schema of tx.schemas()) {
      const isMore = await schema.transaction(async (tx) => {
        const channels = await tx.query(listChannels, [user.pk, channelsPerStep]);
        if (channels.length > 0) await endRoles(tx, await lockSome(tx, pksOf(channels)), [user]);
        return channels.length > 0;
      });
      if (isMore) return true;
    }
    // A deleted user gets no new roles, mutes and bans: if none is left, the user is done.
    for (const schema of tx.schemas())
      for (const remove of removeRestrictions) await schema.query(remove, [user.pk]);
    await removeUser(tx, user.pk);
    await tx.query(markSwept, [user.pk]);
    return true;
  });
}

const findDeleted: Statement<HasPk> = {
  name: "users.find-to-sweep",
  text: "SELECT pk FROM users WHERE needs_sweep ORDER BY deleted_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED",
};

const listChannels: Statement<HasPk> = {
  name: "users.list-channels",
  text: `(SELECT channel_pk AS pk FROM members WHERE user_pk = $1 LIMIT $2)
    UNION (SELECT channel_pk FROM managers WHERE user_pk = $1 LIMIT $2)`,
};

const removeRestrictions = (["mutes", "bans"] as const).map(
  (table): Statement<unknown> => ({
    name: `users.remove-${table}`,
    text: `DELETE FROM ${table} WHERE user_pk = $1 RETURNING 1`,
  }),
);

const markSwept: Statement<unknown> = {
  name: "users.mark-swept",
  text: "UPDATE users SET needs_sweep = false WHERE pk = $1 RETURNING 1",
};
