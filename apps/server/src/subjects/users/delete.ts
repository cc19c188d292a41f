import type { Queryable, Statement } from "../../db/db";
import { refuseUnknown } from "./store";

/**
 * Ends a user: memberships and manager roles go, the row stays for the messages that name it. Locks are taken in the
 * order of every other store (user, channels by key, memberships), so that none waits for another in a circle.
 */
export function deleteUser(db: Queryable, userId: string, now: number): Promise<void> {
  return db.transaction(async (tx) => {
    const [user] = await tx.query(lockUser, [userId]);
    if (user === undefined) refuseUnknown(userId);
    const channels = await tx.query(listChannels, [user.pk]);
    // Nobody can take a role with the user while its row is locked: where there is none, there is none to end.
    if (channels.length > 0) {
      await tx.query(lockChannels, [channels.map(({ pk }) => pk)]);
      await tx.query(endRoles, [user.pk]);
    }
    await tx.query(markDeleted, [user.pk, now]);
  });
}

// FOR UPDATE, because it waits for every FOR KEY SHARE: whoever is joining or sending with this user ends first.
const lockUser: Statement<{ pk: number }> = {
  name: "users.lock",
  text: "SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL FOR UPDATE",
};

const listChannels: Statement<{ pk: number }> = {
  name: "users.list-channels",
  text: `SELECT channel_pk AS pk FROM members WHERE user_pk = $1
    UNION SELECT channel_pk FROM managers WHERE user_pk = $1`,
};

const lockChannels: Statement<unknown> = {
  name: "users.lock-channels",
  text: "SELECT pk FROM channels WHERE pk = ANY ($1::bigint[]) ORDER BY pk FOR NO KEY UPDATE",
};

// One UPDATE a channel: at a second one in the same transaction PostgreSQL checks the channel's foreign keys anew, which
// waits for its other participants, who may be waiting for this channel.
const endRoles: Statement<unknown> = {
  name: "users.end-roles",
  text: `WITH left_as_member AS (DELETE FROM members WHERE user_pk = $1 RETURNING channel_pk),
      left_as_manager AS (DELETE FROM managers WHERE user_pk = $1 RETURNING channel_pk),
      ended AS (
        SELECT channel_pk, sum(member) AS member, sum(manager) AS manager FROM (
          SELECT channel_pk, 1 AS member, 0 AS manager FROM left_as_member
          UNION ALL SELECT channel_pk, 0, 1 FROM left_as_manager) AS each_one
        GROUP BY channel_pk)
    UPDATE channels SET member_count = member_count - ended.member, manager_count = manager_count - ended.manager
    FROM ended WHERE pk = ended.channel_pk`,
};

const markDeleted: Statement<unknown> = {
  name: "users.mark-deleted",
  text: "UPDATE users SET deleted_at = $2 WHERE pk = $1",
};
