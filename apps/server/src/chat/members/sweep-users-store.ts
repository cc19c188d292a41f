import type { Db, Statement, Tx } from "../../db/db";
import { endRoles, type HasPk, pksOf } from "../channels/end-roles-store";
import { lockSome } from "../channels/lock-store";

/** Removes what modules store about deleted users. */
export type RemoveUsers = (tx: Tx, userPks: readonly number[]) => Promise<void>;

const usersPerStep = 50;
const channelsPerStep = 250;

/**
 * Ends some memberships and manager roles of some deleted users, and returns whether more may remain. Several processes
 * share the work: each skips the users that another one has locked.
 */
export function sweepDeletedUsers(db: Db, removeUsers: RemoveUsers): Promise<boolean> {
  return db.transaction(async (tx) => {
    const users = await tx.query(findDeleted, [usersPerStep]);
    if (users.length === 0) return false;
    const pks = pksOf(users);
    for (const schema of tx.schemas()) {
      const isMore = await schema.transaction(async (tx) => {
        const channels = await tx.query(listChannels, [pks, channelsPerStep]);
        if (channels.length > 0) await endRoles(tx, await lockSome(tx, pksOf(channels)), users);
        return channels.length > 0;
      });
      if (isMore) return true;
    }
    // Deleted users get no new roles, mutes and bans: if none is left, they are done.
    for (const schema of tx.schemas())
      for (const remove of removeRestrictions) await schema.query(remove, [pks]);
    await removeUsers(tx, pks);
    await tx.query(markSwept, [pks]);
    return true;
  });
}

const findDeleted: Statement<HasPk> = {
  name: "users.find-to-sweep",
  text: "SELECT pk FROM users WHERE needs_sweep ORDER BY deleted_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED",
};

const listChannels: Statement<HasPk> = {
  name: "users.list-channels",
  text: `(SELECT channel_pk AS pk FROM members WHERE user_pk = ANY ($1::bigint[]) LIMIT $2)
    UNION (SELECT channel_pk FROM managers WHERE user_pk = ANY ($1::bigint[]) LIMIT $2)`,
};

const removeRestrictions = (["mutes", "bans"] as const).map(
  (table): Statement<unknown> => ({
    name: `users.remove-${table}`,
    text: `DELETE FROM ${table} WHERE user_pk = ANY ($1::bigint[]) RETURNING 1`,
  }),
);

const markSwept: Statement<unknown> = {
  name: "users.mark-swept",
  text: "UPDATE users SET needs_sweep = false WHERE pk = ANY ($1::bigint[]) RETURNING 1",
};
